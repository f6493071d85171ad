#include "ticker.h"

#include <stdlib.h>
#include <string.h>
#include "scale.h"
#include "vec.h"

/* At most this many intervals of a group wait for slow members; then the oldest ones become final. */
#define PENDING_MAX 65536

/* I/Os or bytes, by direction. */
struct sum {
	uint64_t v[DIR_DATA];
};

/* One interval of a group. */
struct group_sum {
	struct sum sum;
	unsigned dirs; /* bits: directions that some member measured for the whole interval */
};

struct job_rate {
	struct samples row[SAMPLE_ROWS];
	uint64_t first; /* the group's number of its first interval */
	uint64_t next;  /* the group's number of its next interval */
	bool started, ended;
	struct sum part;  /* counts of the unfinished last interval */
	uint64_t part_ns; /* length of the unfinished last interval */
};

struct group_rate {
	struct samples row[SAMPLE_ROWS];
	uint64_t len_ns;
	uint64_t base; /* number of pending[0] */
	VEC(struct group_sum) pending;
	uint64_t final; /* all running members have passed the intervals below this number */
	bool started;
	struct sum part;
	uint64_t part_ns;
};

struct sampler {
	const struct plan *plan;
	enum track_use use;
	struct job_rate *job;
	struct group_rate *group;
};

struct sampler *sampler_new(const struct plan *p, enum track_use use)
{
	struct sampler *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->plan = p;
	s->use = use;
	s->job = calloc(p->njobs + 1, sizeof(*s->job));
	s->group = calloc(p->nreports + 1, sizeof(*s->group));
	if (!s->job || !s->group) {
		sampler_free(s);
		return NULL;
	}
	for (uint32_t i = 0; i < p->njobs; i++) {
		if (!p->jobs[i].track[use])
			s->job[i].ended = true; /* written only where needed, to leave pages untouched */
	}
	return s;
}

void sampler_free(struct sampler *s)
{
	if (!s)
		return;
	for (uint32_t g = 0; s->group && g < s->plan->nreports; g++)
		free(s->group[g].pending.v);
	free(s->job);
	free(s->group);
	free(s);
}

static void sample_row(const struct sampler *s, struct samples *row, uint64_t count, uint64_t len_ns,
		       uint64_t span)
{
	if (!span)
		return; /* an empty last record: the phase ended together with an interval */
	samples_add_rate(row, count, len_ns * span, s->use == TRACK_BW ? 1024 : 1, span);
}

/* Samples the directions of `dirs`, and the sum of all if `all`. */
static void sample(const struct sampler *s, struct samples *row, unsigned dirs, bool all, const struct sum *v,
		   uint64_t len_ns, uint64_t span)
{
	uint64_t total = 0;

	for (int d = 0; d < DIR_DATA; d++) {
		total += v->v[d];
		if (dirs & 1u << d)
			sample_row(s, &row[d], v->v[d], len_ns, span);
	}
	if (all)
		sample_row(s, &row[DIR_DATA], total, len_ns, span);
}

/* Adds part k of `of` equal parts of v. */
static void sum_add(struct sum *to, const struct sum *v, uint64_t k, uint64_t of)
{
	for (int d = 0; d < DIR_DATA; d++)
		to->v[d] += scale_part(v->v[d], k, k + 1, of);
}

/* Returns interval `number` of the group, or the oldest pending one if that is final already. Returns NULL if
   memory is short. */
static struct group_sum *group_sum_at(struct group_rate *g, uint64_t number)
{
	size_t i = number > g->base ? (size_t)(number - g->base) : 0;
	static const struct group_sum nothing;

	while (g->pending.n <= i) {
		if (!VEC_PUSH(&g->pending, nothing))
			break;
	}
	if (!g->pending.n)
		return NULL;
	return &g->pending.v[i < g->pending.n ? i : g->pending.n - 1];
}

/* Adds part k of `of` of v to interval `number` of the group. dirs: directions that the member measured for
   the whole interval. */
static void group_add(struct group_rate *g, uint64_t number, const struct sum *v, uint64_t k, uint64_t of,
		      unsigned dirs)
{
	struct group_sum *c = group_sum_at(g, number);

	if (!c)
		return;
	sum_add(&c->sum, v, k, of);
	c->dirs |= dirs;
}

/* Makes room at the front for a member that began earlier than those whose records came first. */
static void group_begin_at(struct group_rate *g, uint64_t number)
{
	size_t n = (size_t)(g->base - number), before = g->pending.n;
	static const struct group_sum nothing;

	for (size_t i = 0; i < n; i++) {
		if (!VEC_PUSH(&g->pending, nothing))
			return;
	}
	memmove(g->pending.v + n, g->pending.v, before * sizeof(*g->pending.v));
	memset(g->pending.v, 0, n * sizeof(*g->pending.v));
	g->base = number;
}

/* Samples the intervals below `final`, which all running members have passed. */
static void group_flush(const struct sampler *s, struct group_rate *g, uint64_t final)
{
	size_t n = final > g->base ? (size_t)(final - g->base) : 0;

	if (n > g->pending.n)
		n = g->pending.n;
	if (!n)
		return;
	for (size_t i = 0; i < n; i++) {
		const struct group_sum *c = &g->pending.v[i];

		sample(s, g->row, c->dirs, c->dirs != 0, &c->sum, g->len_ns, 1);
	}
	memmove(g->pending.v, g->pending.v + n, (g->pending.n - n) * sizeof(*g->pending.v));
	g->pending.n -= n;
	g->base += n;
}

static void start_job(struct sampler *s, uint32_t i, uint64_t late_ns)
{
	const struct plan_job *pj = &s->plan->jobs[i];
	struct group_rate *g = &s->group[pj->report];
	struct job_rate *j = &s->job[i];
	unsigned track;

	if (plan_track(pj, s->use, &track))
		g->len_ns = pj->tracks.track[track].len_ns;
	j->started = true;
	j->first = j->next = (late_ns + g->len_ns / 2) / g->len_ns;
	if (!g->started)
		g->base = j->first;
	else if (j->first < g->base && g->base - j->first < PENDING_MAX)
		group_begin_at(g, j->first);
	g->started = true;
}

void sampler_add(struct sampler *s, uint32_t i, uint64_t late_ns, const struct ival *rec)
{
	const struct plan_job *pj = &s->plan->jobs[i];
	struct job_rate *j = &s->job[i];
	struct group_rate *g = &s->group[pj->report];
	struct sum v;

	if (!j->started)
		start_job(s, i, late_ns);
	for (unsigned d = 0; d < DIR_DATA; d++)
		v.v[d] = s->use == TRACK_BW ? rec->dir[d].bytes : rec->dir[d].ios;
	if (rec->part_ns) {
		j->part = v;
		j->part_ns = rec->part_ns;
		group_add(g, j->first + rec->first, &v, 0, 1, 0); /* counts if other members run on */
		return;
	}
	sample(s, j->row, pj->rw, true, &v, g->len_ns, rec->intervals);
	for (uint64_t k = 0; k < rec->intervals && k < PENDING_MAX; k++)
		group_add(g, j->first + rec->first + k, &v, k, rec->intervals, pj->rw & RW_DIRS);
	j->next = j->first + rec->first + rec->intervals;
}

void sampler_job_ended(struct sampler *s, uint32_t job)
{
	s->job[job].ended = true;
}

/* An interval is final when all running members are past it. */
void sampler_flush(struct sampler *s)
{
	for (uint32_t n = 0; n < s->plan->nreports; n++)
		s->group[n].final = UINT64_MAX;
	for (uint32_t i = 0; i < s->plan->njobs; i++) {
		struct group_rate *g = &s->group[s->plan->jobs[i].report];

		if (!s->job[i].ended && s->job[i].next < g->final)
			g->final = s->job[i].next;
	}
	for (uint32_t n = 0; n < s->plan->nreports; n++) {
		struct group_rate *g = &s->group[n];

		if (g->pending.n > PENDING_MAX && g->final < g->base + g->pending.n - PENDING_MAX)
			g->final = g->base + g->pending.n - PENDING_MAX;
		if (g->len_ns)
			group_flush(s, g, g->final);
	}
}

/* A run that is shorter than one interval gets one sample of its whole time. */
static void sample_short_run(struct sampler *s)
{
	for (uint32_t i = 0; i < s->plan->njobs; i++) {
		struct job_rate *j = &s->job[i];
		struct group_rate *g = &s->group[s->plan->jobs[i].report];

		sum_add(&g->part, &j->part, 0, 1);
		if (j->part_ns > g->part_ns)
			g->part_ns = j->part_ns;
		if (j->next == j->first && j->part_ns)
			sample(s, j->row, s->plan->jobs[i].rw, true, &j->part, j->part_ns, 1);
	}
	for (uint32_t n = 0; n < s->plan->nreports; n++) {
		struct group_rate *g = &s->group[n];
		unsigned none = 0;

		for (unsigned d = 0; d < DIR_DATA; d++)
			none |= g->row[d].n == 0 && g->part.v[d] ? 1u << d : 0;
		if (g->part_ns)
			sample(s, g->row, none, g->row[DIR_DATA].n == 0, &g->part, g->part_ns, 1);
	}
}

void sampler_finish(struct sampler *s)
{
	for (uint32_t i = 0; i < s->plan->njobs; i++)
		s->job[i].ended = true;
	sampler_flush(s);
	sample_short_run(s);
}

const struct samples *sampler_job(const struct sampler *s, uint32_t job)
{
	return s->job[job].row;
}

const struct samples *sampler_report(const struct sampler *s, uint32_t report)
{
	return s->group[report].row;
}
