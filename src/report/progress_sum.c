#include "progress_sum.h"

#include <string.h>

/* ---- one rank ---- */

static uint32_t count(const struct progress_part *part, const char *letters)
{
	uint32_t n = 0;

	for (; *letters; letters++)
		n += part->workers[strchr(PROGRESS_LETTERS, *letters) - PROGRESS_LETTERS];
	return n;
}

static enum rank_state state_of(const struct progress_part *part)
{
	if (count(part, "RWMDrwmd/VFf"))
		return RANK_RUNS;
	if (part->layout_total)
		return RANK_LAYOUT;
	if (count(part, "CpL"))
		return RANK_STARTS;
	if (count(part, "I"))
		return RANK_WAITS;
	return count(part, "P") ? RANK_STARTS : RANK_DONE;
}

void progress_part_of(struct progress_part *part, const struct progress *p)
{
	*part = (struct progress_part){ .rate_lo = p->rate_lo,
					.rate_hi = p->rate_hi,
					.rate_iops_lo = p->rate_iops_lo,
					.rate_iops_hi = p->rate_iops_hi,
					.layout_done = p->layout_done,
					.layout_total = p->layout_total,
					.eta_s = p->eta_known ? p->eta_s : UINT64_MAX,
					.running = p->running,
					.files = p->files };
	memcpy(part->bw, p->bw, sizeof(part->bw));
	memcpy(part->iops, p->iops, sizeof(part->iops));
	for (const char *s = p->states; *s; s++) {
		const char *letter = strchr(PROGRESS_LETTERS, *s);

		if (letter)
			part->workers[letter - PROGRESS_LETTERS]++;
	}
	part->state = state_of(part);
}

/* ---- all ranks ---- */

void progress_sum_add(struct progress_sum *s, const struct progress_part *part)
{
	struct progress_part *a = &s->all;

	for (int d = 0; d < DIR_DATA; d++) {
		a->bw[d] += part->bw[d];
		a->iops[d] += part->iops[d];
	}
	a->rate_lo += part->rate_lo;
	a->rate_hi += part->rate_hi;
	a->rate_iops_lo += part->rate_iops_lo;
	a->rate_iops_hi += part->rate_iops_hi;
	a->layout_done += part->layout_done;
	a->layout_total += part->layout_total;
	a->eta_s = part->eta_s > a->eta_s ? part->eta_s : a->eta_s;
	a->running += part->running;
	a->files += part->files;
	for (size_t i = 0; i < PROGRESS_LETTER_KIND; i++)
		a->workers[i] += part->workers[i];
	if (part->state < RANK_STATES)
		s->ranks[part->state]++;
}

static void put_states(const struct progress_part *all, struct strbuf *states)
{
	strbuf_clear(states);
	for (size_t i = 0; i < PROGRESS_LETTER_KIND; i++)
		for (uint32_t n = 0; n < all->workers[i]; n++)
			strbuf_putc(states, PROGRESS_LETTERS[i]);
}

/* If any rank does I/O, the line shows the I/O and not the layout of other ranks. */
void progress_sum_put(const struct progress_sum *s, double ran_s, struct strbuf *states, struct progress *p)
{
	const struct progress_part *a = &s->all;
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
