#include "progress_sum.h"

#include <string.h>
#include "strbuf.h"

/* ---- one rank ---- */

static uint32_t count_workers(const struct progress_record *record, const char *letters)
{
	uint32_t n = 0;

	for (; *letters; letters++)
		n += record->workers[strchr(PROGRESS_LETTERS, *letters) - PROGRESS_LETTERS];
	return n;
}

static enum rank_state rank_state_of(const struct progress_record *record)
{
	if (count_workers(record, "RWMDrwmd/VFf"))
		return RANK_RUNS;
	if (record->layout_total)
		return RANK_LAYOUT;
	if (count_workers(record, "CpL"))
		return RANK_STARTS;
	if (count_workers(record, "I"))
		return RANK_WAITS;
	return count_workers(record, "P") ? RANK_STARTS : RANK_DONE;
}

void progress_record_set(struct progress_record *record, const struct progress *p)
{
	*record = (struct progress_record){ .rate_lo = p->rate_lo,
					    .rate_hi = p->rate_hi,
					    .rate_iops_lo = p->rate_iops_lo,
					    .rate_iops_hi = p->rate_iops_hi,
					    .layout_done = p->layout_done,
					    .layout_total = p->layout_total,
					    .eta_s = p->eta_known ? p->eta_s : UINT64_MAX,
					    .running = p->running,
					    .files = p->files };
	memcpy(record->bw, p->bw, sizeof(record->bw));
	memcpy(record->iops, p->iops, sizeof(record->iops));
	for (const char *s = p->states; *s; s++) {
		const char *letter = strchr(PROGRESS_LETTERS, *s);

		if (letter)
			record->workers[letter - PROGRESS_LETTERS]++;
	}
	record->state = rank_state_of(record);
}

/* ---- all ranks ---- */

void progress_sum_add(struct progress_sum *s, const struct progress_record *record)
{
	struct progress_record *a = &s->all;

	for (int d = 0; d < DIR_DATA; d++) {
		a->bw[d] += record->bw[d];
		a->iops[d] += record->iops[d];
	}
	a->rate_lo += record->rate_lo;
	a->rate_hi += record->rate_hi;
	a->rate_iops_lo += record->rate_iops_lo;
	a->rate_iops_hi += record->rate_iops_hi;
	a->layout_done += record->layout_done;
	a->layout_total += record->layout_total;
	a->eta_s = record->eta_s > a->eta_s ? record->eta_s : a->eta_s;
	a->running += record->running;
	a->files += record->files;
	for (size_t i = 0; i < PROGRESS_LETTER_KIND; i++)
		a->workers[i] += record->workers[i];
	if (record->state < RANK_STATES)
		s->ranks[record->state]++;
}

static void put_states(const struct progress_record *all, struct strbuf *states)
{
	strbuf_clear(states);
	for (size_t i = 0; i < PROGRESS_LETTER_KIND; i++)
		for (uint32_t n = 0; n < all->workers[i]; n++)
			strbuf_putc(states, PROGRESS_LETTERS[i]);
}

/* If any rank does I/O, the line shows the I/O and not the layout of other ranks. */
void progress_sum_put(const struct progress_sum *s, double ran_s, struct strbuf *states, struct progress *p)
{
	const struct progress_record *a = &s->all;
	double left_s = (double)a->eta_s;

	put_states(a, states);
	p->states = strbuf_str(states);
	memcpy(p->bw, a->bw, sizeof(p->bw));
	memcpy(p->iops, a->iops, sizeof(p->iops));
	p->rate_lo = a->rate_lo;
	p->rate_hi = a->rate_hi;
	p->rate_iops_lo = a->rate_iops_lo;
	p->rate_iops_hi = a->rate_iops_hi;
	p->layout_done = a->layout_done;
	p->layout_total = s->ranks[RANK_RUNS] ? 0 : a->layout_total;
	p->running = a->running;
	p->files = a->files;
	p->eta_s = a->eta_s;
	p->eta_known = p->percent_known = a->eta_s != UINT64_MAX;
	p->percent = p->percent_known && ran_s + left_s > 0 ? 100.0 * ran_s / (ran_s + left_s) : 0;
}

void progress_sum_ranks(const struct progress_sum *s, struct strbuf *b)
{
	static const char *const words[RANK_STATES] = { [RANK_STARTS] = "starting",
							[RANK_LAYOUT] = "laying out",
							[RANK_WAITS] = "waiting",
							[RANK_RUNS] = "running",
							[RANK_DONE] = "done" };
	bool any = false;

	for (int i = 0; i < RANK_STATES; i++) {
		if (!s->ranks[i])
			continue;
		strbuf_printf(b, "%s%u %s", any ? ", " : "", s->ranks[i], words[i]);
		any = true;
	}
}
