#include "ticker.h"

#include <stdlib.h>
#include <string.h>
#include "vec.h"

/* A group's intervals that some member may still add to; beyond this the oldest are final whoever hangs. */
#define PENDING_MAX 65536

struct sum {
	uint64_t ios[DIR_DATA], bytes[DIR_DATA];
};

struct job_series {
	struct samples bw[SAMPLE_ROWS], iops[SAMPLE_ROWS];
	uint64_t shift; /* its first interval in the group's numbering */
	uint64_t next;  /* the group's number of its next interval */
	bool started;
	struct sum part; /* the unfinished last interval, and its length */
	uint64_t part_ns;
};

struct group_series {
	struct samples bw[SAMPLE_ROWS], iops[SAMPLE_ROWS];
	uint64_t base; /* number of pending[0] */
	struct {
		struct sum *v;
		size_t n, cap;
	} pending;
	uint64_t full[DIR_DATA]; /* below this some member ran in this direction for the whole interval */
	bool started;
	struct sum part;
	uint64_t part_ns;
};

struct ticker {
	const struct plan *plan;
	struct job_series *job;
	struct group_series *group;
};

struct ticker *ticker_new(const struct plan *p)
{
	struct ticker *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->plan = p;
	t->job = calloc(p->njobs + 1, sizeof(*t->job));
	t->group = calloc(p->nreports + 1, sizeof(*t->group));
	if (!t->job || !t->group) {
		ticker_free(t);
		return NULL;
	}
	return t;
}

void ticker_free(struct ticker *t)
{
	if (!t)
		return;
	for (uint32_t g = 0; t->group && g < t->plan->nreports; g++)
		free(t->group[g].pending.v);
	free(t->job);
	free(t->group);
	free(t);
}

static uint64_t per_second(uint64_t count, uint64_t ns)
{
	__extension__ typedef unsigned __int128 u128;

	return ns ? (uint64_t)((u128)count * 1000000000u / ns) : 0;
}

static void sample_row(struct samples *bw, struct samples *iops, uint64_t bytes, uint64_t ios,
		       uint64_t len_ns, uint64_t span)
{
	samples_add_n(bw, per_second(bytes, len_ns * span) / 1024, span);
	samples_add_n(iops, per_second(ios, len_ns * span), span);
}

/* `span` intervals of len_ns in which v came, spread evenly: of these directions, and of all together. */
static void sample(struct samples *bw, struct samples *iops, unsigned dirs, bool all, const struct sum *v,
		   uint64_t len_ns, uint64_t span)
{
	uint64_t bytes = 0, ios = 0;

	for (int d = 0; d < DIR_DATA; d++) {
		bytes += v->bytes[d];
		ios += v->ios[d];
		if (dirs & 1u << d)
			sample_row(&bw[d], &iops[d], v->bytes[d], v->ios[d], len_ns, span);
	}
	if (all)
		sample_row(&bw[DIR_DATA], &iops[DIR_DATA], bytes, ios, len_ns, span);
}

static void sum_add(struct sum *to, const struct sum *v, uint64_t share)
{
	for (int d = 0; d < DIR_DATA; d++) {
		to->ios[d] += v->ios[d] / share;
		to->bytes[d] += v->bytes[d] / share;
	}
}

/* Interval `at` of the group gets v. False when it is final already or memory is short: then the oldest gets
 * it. */
static void group_add(struct group_series *g, uint64_t at, const struct sum *v, uint64_t share)
{
	size_t i = at > g->base ? (size_t)(at - g->base) : 0;
	static const struct sum nothing;

	while (g->pending.n <= i) {
		if (!VEC_PUSH(&g->pending, nothing))
			break;
	}
	if (g->pending.n)
		sum_add(&g->pending.v[i < g->pending.n ? i : g->pending.n - 1], v, share);
}

/* The directions in which some member still ran at this interval: the row of a direction ends with its last
 * member. */
static unsigned dirs_at(const struct group_series *g, uint64_t at)
{
	unsigned dirs = 0;

	for (unsigned d = 0; d < DIR_DATA; d++)
		dirs |= at < g->full[d] ? 1u << d : 0;
	return dirs;
}

/* Intervals below `until` will not change any more. */
static void group_settle(struct group_series *g, uint64_t until, uint64_t len_ns)
{
	size_t n = until > g->base ? (size_t)(until - g->base) : 0;

	if (n > g->pending.n)
		n = g->pending.n;
	if (!n)
		return;
	for (size_t i = 0; i < n; i++) {
		unsigned dirs = dirs_at(g, g->base + i);

		sample(g->bw, g->iops, dirs, dirs != 0, &g->pending.v[i], len_ns, 1);
	}
	memmove(g->pending.v, g->pending.v + n, (g->pending.n - n) * sizeof(*g->pending.v));
	g->pending.n -= n;
	g->base += n;
}

static void take(struct ticker *t, uint32_t i, const struct ival_rec *rec, uint64_t len_ns)
{
	struct job_series *j = &t->job[i];
	struct group_series *g = &t->group[t->plan->jobs[i].report];
	struct sum v;

	memcpy(v.ios, rec->ios, sizeof(v.ios));
	memcpy(v.bytes, rec->bytes, sizeof(v.bytes));
	if (rec->part_ns) {
		j->part = v;
		j->part_ns = rec->part_ns;
		group_add(g, j->shift + rec->first, &v, 1); /* counts where others run on */
		return;
	}
	sample(j->bw, j->iops, t->plan->jobs[i].rw, true, &v, len_ns, rec->span);
	for (uint64_t k = 0; k < rec->span && k < PENDING_MAX; k++)
		group_add(g, j->shift + rec->first + k, &v, rec->span);
	j->next = j->shift + rec->first + rec->span;
	for (unsigned d = 0; d < DIR_DATA; d++) {
		if (t->plan->jobs[i].rw & 1u << d && j->next > g->full[d])
			g->full[d] = j->next;
	}
}

static void start_job(struct ticker *t, const struct run *r, uint32_t i, const struct ival_ring *ring)
{
	const struct plan_job *pj = &t->plan->jobs[i];
	uint32_t base = t->plan->stages[pj->stage].base;
	uint64_t wave = atomic_load_explicit(&r->region.stages[base].start_ns, memory_order_relaxed);
	uint64_t late = ring->start_ns > wave ? ring->start_ns - wave : 0;
	struct group_series *g = &t->group[pj->report];
	struct job_series *j = &t->job[i];

	j->started = true;
	j->shift = j->next = (late + ring->len_ns / 2) / ring->len_ns;
	if (!g->started || (g->pending.n == 0 && j->shift < g->base))
		g->base = j->shift;
	g->started = true;
}

static void drain_job(struct ticker *t, const struct run *r, uint32_t i)
{
	struct ival_ring *ring = &run_slot(r, i)->ring;
	struct ival_rec rec;

	while (ival_take(ring, &rec)) {
		if (!t->job[i].started)
			start_job(t, r, i, ring);
		take(t, i, &rec, ring->len_ns);
	}
}

/* A group's intervals are final below the slowest member that still runs. */
static void settle(struct ticker *t, const struct run *r, bool all)
{
	for (uint32_t n = 0; n < t->plan->nreports; n++) {
		struct group_series *g = &t->group[n];
		uint64_t until = UINT64_MAX, len_ns = 0;

		for (uint32_t i = 0; i < t->plan->njobs; i++) {
			if (t->plan->jobs[i].report != n)
				continue;
			if (run_slot(r, i)->ring.len_ns)
				len_ns = run_slot(r, i)->ring.len_ns;
			if (!all && run_phase(r, i) != PHASE_DONE && t->job[i].next < until)
				until = t->job[i].next;
		}
		if (g->pending.n > PENDING_MAX && until < g->base + g->pending.n - PENDING_MAX)
			until = g->base + g->pending.n - PENDING_MAX;
		if (len_ns)
			group_settle(g, until, len_ns);
	}
}

void ticker_drain(struct ticker *t, const struct run *r)
{
	for (uint32_t i = 0; i < t->plan->njobs; i++)
		drain_job(t, r, i);
	settle(t, r, false);
}

/* A run shorter than one interval has one sample: what there was. */
static void short_run(struct ticker *t)
{
	for (uint32_t i = 0; i < t->plan->njobs; i++) {
		struct job_series *j = &t->job[i];
		struct group_series *g = &t->group[t->plan->jobs[i].report];

		sum_add(&g->part, &j->part, 1);
		if (j->part_ns > g->part_ns)
			g->part_ns = j->part_ns;
		if (j->next == j->shift && j->part_ns)
			sample(j->bw, j->iops, t->plan->jobs[i].rw, true, &j->part, j->part_ns, 1);
	}
	for (uint32_t n = 0; n < t->plan->nreports; n++) {
		struct group_series *g = &t->group[n];
		unsigned none = 0;

		for (unsigned d = 0; d < DIR_DATA; d++)
			none |= g->bw[d].n == 0 && g->part.ios[d] ? 1u << d : 0;
		if (g->part_ns)
			sample(g->bw, g->iops, none, g->bw[DIR_DATA].n == 0, &g->part, g->part_ns, 1);
	}
}

void ticker_finish(struct ticker *t, const struct run *r)
{
	for (uint32_t i = 0; i < t->plan->njobs; i++)
		drain_job(t, r, i);
	settle(t, r, true);
	short_run(t);
}

const struct samples *ticker_job_bw(const struct ticker *t, uint32_t job)
{
	return t->job[job].bw;
}

const struct samples *ticker_job_iops(const struct ticker *t, uint32_t job)
{
	return t->job[job].iops;
}

const struct samples *ticker_report_bw(const struct ticker *t, uint32_t report)
{
	return t->group[report].bw;
}

const struct samples *ticker_report_iops(const struct ticker *t, uint32_t report)
{
	return t->group[report].iops;
}
