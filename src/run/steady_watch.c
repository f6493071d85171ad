#include "ticker.h"

#include <stdlib.h>
#include <string.h>
#include "interval.h"
#include "scale.h"
#include "vec.h"

/* The most samples of an entry that wait for its slowest worker. */
#define PENDING_MAX 1000000
/* The most samples without I/O that an entry stores before the first one of a worker. */
#define GAP_MAX 1000

/* One sample of an entry. */
struct entry_sum {
	struct steady_sample sum;
	bool used; /* a worker was measured during it */
};

struct entry {
	bool on;
	struct steady_window window;
	uint64_t base; /* number of pending[0] */
	VEC(struct entry_sum) pending;
	uint64_t from, final; /* used during steady_watch_judge: all members cover the samples between them */
	bool announced;
};

struct member {
	uint64_t first, next; /* the numbers of its first and its next sample in the entry */
	bool started, ended;
};

struct steady_watch {
	const struct plan *plan;
	struct entry *entry;
	struct member *member;
};

static const struct steady_cfg *cfg_of(const struct plan_job *pj)
{
	return pj->track[TRACK_STEADY] ? &pj->job->opts.steady : NULL;
}

bool steady_watch_wanted(const struct plan *p)
{
	for (uint32_t i = 0; i < p->njobs; i++)
		if (cfg_of(&p->jobs[i]))
			return true;
	return false;
}

struct steady_watch *steady_watch_new(const struct plan *p)
{
	struct steady_watch *w = calloc(1, sizeof(*w));
	bool ok;

	if (!w)
		return NULL;
	w->plan = p;
	w->entry = calloc(p->nreports + 1, sizeof(*w->entry));
	w->member = calloc(p->njobs + 1, sizeof(*w->member));
	ok = w->entry && w->member;
	for (uint32_t i = 0; i < p->njobs && ok; i++) {
		struct entry *e = &w->entry[p->jobs[i].report];

		if (!cfg_of(&p->jobs[i]) || e->on)
			continue;
		ok = steady_window_init(&e->window, cfg_of(&p->jobs[i]));
		e->on = true;
	}
	if (ok)
		return w;
	steady_watch_free(w);
	return NULL;
}

void steady_watch_free(struct steady_watch *w)
{
	if (!w)
		return;
	for (uint32_t i = 0; w->entry && i < w->plan->nreports; i++) {
		steady_window_fini(&w->entry[i].window);
		free(w->entry[i].pending.v);
	}
	free(w->entry);
	free(w->member);
	free(w);
}

/* Adds part k of `of` equal parts of a record. */
static void add_sample_part(struct steady_sample *s, const struct ival *rec, uint64_t k, uint64_t of)
{
	for (unsigned d = 0; d < DIR_DATA; d++) {
		const struct ival_dir *dir = &rec->dir[d];

		s->ios += scale_part(dir->ios, k, k + 1, of);
		s->bytes += scale_part(dir->bytes, k, k + 1, of);
		s->lat_n += scale_part(dir->lat[LAT_LAT].n, k, k + 1, of);
		s->lat_sum += scale_part(dir->lat[LAT_LAT].sum, k, k + 1, of);
	}
}

/* Leaves out the samples before `number`, which no worker has had so far: a group whose workers begin late
   would otherwise wait for samples that never come. It keeps the last few of them, because the record of
   another worker may still have these. */
static void skip_gap(struct entry *e, uint64_t number)
{
	uint64_t gap;

	if (e->pending.n || number < e->base || number - e->base <= GAP_MAX)
		return;
	gap = number - e->base - GAP_MAX;
	e->base += gap;
	if (!e->window.attained && (e->window.seen || e->window.left_out))
		e->window.left_out += gap;
}

static struct entry_sum *entry_sum_at(struct entry *e, uint64_t number)
{
	static const struct entry_sum nothing;

	skip_gap(e, number);
	if (number < e->base || number - e->base >= PENDING_MAX)
		return NULL;
	while (e->pending.n <= number - e->base)
		if (!VEC_PUSH(&e->pending, nothing))
			return NULL;
	return &e->pending.v[number - e->base];
}

void steady_watch_add(struct steady_watch *w, uint32_t job, uint64_t late_ns, const struct ival *rec)
{
	const struct plan_job *pj = &w->plan->jobs[job];
	uint64_t len = pj->job->opts.steady.interval_ns, first = (late_ns + len / 2) / len + rec->first;
	struct entry *e = &w->entry[pj->report];

	if (!w->member[job].started)
		w->member[job].first = first;
	w->member[job].started = true;
	for (uint64_t k = 0; k < rec->intervals && k < PENDING_MAX; k++) {
		struct entry_sum *c = entry_sum_at(e, first + k);

		if (!c || (rec->first + k + 1) * len > pj->job->opts.time.runtime_ns)
			continue;
		c->used = true;
		add_sample_part(&c->sum, rec, k, rec->intervals);
	}
	w->member[job].next = first + rec->intervals;
}

void steady_watch_job_ended(struct steady_watch *w, uint32_t job)
{
	w->member[job].ended = true;
}

/* Sets the samples that all workers of each entry cover, except those that ended without a sample. */
static void find_final(struct steady_watch *w)
{
	for (uint32_t i = 0; i < w->plan->nreports; i++) {
		w->entry[i].from = 0;
		w->entry[i].final = UINT64_MAX;
	}
	for (uint32_t i = 0; i < w->plan->njobs; i++) {
		struct entry *e = &w->entry[w->plan->jobs[i].report];
		const struct member *m = &w->member[i];

		if (!cfg_of(&w->plan->jobs[i]) || (m->ended && !m->started))
			continue;
		if (m->next < e->final)
			e->final = m->next;
		if (m->first > e->from)
			e->from = m->first;
	}
}

/* Adds sample `number` to the window, if all workers cover it. */
static void judge_sum(struct entry *e, const struct entry_sum *c, uint64_t number)
{
	if (c->used && number >= e->from)
		steady_window_add(&e->window, &c->sum);
	else if (!e->window.attained && (c->used || e->window.seen || e->window.left_out))
		e->window.left_out++;
}

static void judge_entry(struct entry *e)
{
	size_t n = e->final > e->base ? (size_t)(e->final - e->base) : 0;

	if (n > e->pending.n)
		n = e->pending.n;
	for (size_t i = 0; i < n; i++)
		judge_sum(e, &e->pending.v[i], e->base + i);
	if (!n)
		return;
	memmove(e->pending.v, e->pending.v + n, (e->pending.n - n) * sizeof(*e->pending.v));
	e->pending.n -= n;
	e->base += n;
}

void steady_watch_judge(struct steady_watch *w)
{
	find_final(w);
	for (uint32_t i = 0; i < w->plan->nreports; i++)
		if (w->entry[i].on)
			judge_entry(&w->entry[i]);
}

bool steady_watch_next(struct steady_watch *w, uint32_t *report)
{
	for (uint32_t i = 0; i < w->plan->nreports; i++) {
		struct entry *e = &w->entry[i];

		if (!e->window.attained || e->announced)
			continue;
		e->announced = true;
		*report = i;
		return true;
	}
	return false;
}

const struct steady_window *steady_watch_window(const struct steady_watch *w, uint32_t report)
{
	return w && w->entry[report].on ? &w->entry[report].window : NULL;
}
