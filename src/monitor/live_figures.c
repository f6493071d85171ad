#include "live_jobs.h"

#include <errno.h>
#include <stdlib.h>
#include "clock.h"
#include "inflight.h"

/* With more I/Os in flight than this, to count them would cost too much. */
#define IN_FLIGHT_MAX 16384u

int live_figures_init(struct live_figures_memory *m, const struct plan *p)
{
	m->job = calloc(p->nreports + 1, sizeof(*m->job));
	m->hung = calloc(p->njobs + 1, sizeof(*m->hung));
	return m->job && m->hung ? 0 : -ENOMEM;
}

void live_figures_fini(struct live_figures_memory *m)
{
	free(m->job);
	free(m->hung);
	ival_sum_fini(&m->total);
}

/* ---- latencies and rates ---- */

static void set_lat(struct live_lat *to, const struct ival_sum_lat *l)
{
	*to = (struct live_lat){ 0 };
	if (!l || !l->n)
		return;
	*to = (struct live_lat){ l->n, l->min, l->max, (double)l->sum / (double)l->n, l->bins, { 0 } };
	for (unsigned i = 0; i < LIVE_PERCENTILES; i++)
		to->percentile[i] = ival_sum_percentile(l, live_percentiles[i]);
}

static void set_dirs(struct live_figures *to, const struct ival_sum *s, uint64_t length_ns)
{
	double seconds = (double)length_ns / 1e9;

	for (unsigned d = 0; d < DIR_COUNT; d++) {
		const struct ival_sum_dir *from = &s->dir[d];
		struct live_dir *dir = &to->dir[d];

		dir->ios = from->ios;
		dir->bytes = from->bytes;
		dir->errors = from->errors;
		dir->unfinished = from->unfinished;
		dir->iops = seconds > 0 ? (double)from->ios / seconds : 0;
		dir->bw = seconds > 0 ? (double)from->bytes / seconds : 0;
		set_lat(&dir->lat[LIVE_LAT], to->kind < LAT_KINDS ? from->lat[to->kind] : NULL);
		set_lat(&dir->lat[LIVE_RESP], from->lat[LAT_RESP]);
	}
}

/* ---- states ---- */

/* In the order of precedence for an entry with several workers. */
enum state { NONE, DONE, LOST, FAILED, WAITING, SETUP, READY, DELAY, SYNC, COOLDOWN, RAMP, VERIFY, RUN };

static const char *const state_names[] = {
	[NONE] = "waiting",    [DONE] = "done",         [LOST] = "lost",   [FAILED] = "failed",
	[WAITING] = "waiting", [SETUP] = "setup",       [READY] = "ready", [DELAY] = "delay",
	[SYNC] = "sync",       [COOLDOWN] = "cooldown", [RAMP] = "ramp",   [VERIFY] = "verify",
	[RUN] = "run",
};

static enum state end_state(const struct slot *s)
{
	return s->lost_reason[0] ? LOST : s->error ? FAILED : DONE;
}

static enum state state_of(const struct run *r, const struct plan_job *pj)
{
	switch (run_phase(r, pj->index)) {
	case PHASE_CREATED:
		return pj->wave == r->wave ? SETUP : WAITING;
	case PHASE_WAIT:
		return WAITING;
	case PHASE_SETUP:
	case PHASE_PRE_READ:
		return SETUP;
	case PHASE_READY:
		return READY;
	case PHASE_DELAY:
		return DELAY;
	case PHASE_RAMP:
		return RAMP;
	case PHASE_RUN:
		return RUN;
	case PHASE_COOL:
		return COOLDOWN;
	case PHASE_VERIFY:
		return VERIFY;
	case PHASE_SYNC:
		return SYNC;
	case PHASE_DONE:
		break;
	}
	return end_state(run_slot(r, pj->index));
}

/* ---- workers ---- */

struct build {
	struct live_report *to;
	struct live_figures_memory *m;
	const struct live_jobs *jobs;
	const struct run *run;
	uint64_t end_ns, now_ns;
	bool counts_in_flight;
};

/* Returns for how long no I/O of the worker has completed, as far as the records show it; 0: it is not known
   to be silent. */
static uint64_t silent_ns(const struct build *b, uint32_t i, enum state state, bool late)
{
	const struct live_worker *w = &b->jobs->worker[i];
	struct slot *s = run_slot(b->run, i);
	uint64_t since = w->closed_ns;

	if (late && !since)
		since = slot_tracks(s, &b->jobs->plan->jobs[i])->start_ns;
	if (late)
		return b->end_ns > since ? b->end_ns - since : 0;
	if (state == RAMP && w->ramp_ios && slot_live_ios(s) == w->ramp_ios)
		return b->jobs->interval_ns;
	return 0;
}

/* A worker hangs if no I/O has completed in a whole interval. That is so if the interval before this one is
   not closed either, or if an I/O has been in flight for as long. */
static void look_for_hang(struct build *b, const struct plan_job *pj, unsigned number, enum state state,
			  bool late, uint64_t oldest_ns)
{
	uint64_t silent = silent_ns(b, pj->index, state, late), age = 0;

	if (oldest_ns && b->now_ns > oldest_ns)
		age = b->now_ns - oldest_ns;
	if (!silent || (silent < 2 * b->jobs->interval_ns && age < b->jobs->interval_ns))
		return;
	b->m->hung[b->to->nhung++] = (struct live_hung){
		.name = pj->job->name,
		.number = number,
		.clone = pj->clone,
		.pid = run_slot(b->run, pj->index)->pid,
		.silent_ns = silent,
		.oldest_io_ns = age,
	};
}

static void add_worker(struct build *b, struct live_job *job, unsigned number, const struct plan_job *pj,
		       enum state *most)
{
	enum state state = state_of(b->run, pj);
	bool running = state >= SYNC && state <= RUN;
	bool late = live_jobs_awaits(b->jobs, b->run, pj->index, b->end_ns);
	const struct slot *s = run_slot(b->run, pj->index);
	uint64_t oldest_ns = 0;

	*most = state > *most ? state : *most;
	job->workers++;
	job->running += running;
	job->now.late += late;
	if (!job->error && state >= DONE && state <= FAILED)
		job->error = s->error;
	if (running && b->counts_in_flight)
		job->now.in_flight += inflight_count(b->run, pj->index, &oldest_ns);
	look_for_hang(b, pj, number, state, late, oldest_ns);
}

static void add_to_all(struct live_figures *all, const struct live_figures *f)
{
	all->in_flight += f->in_flight;
	all->late += f->late;
	for (unsigned d = 0; d < DIR_COUNT; d++) {
		struct live_total *to = &all->total[d];

		to->ios += f->total[d].ios;
		to->bytes += f->total[d].bytes;
		to->errors += f->total[d].errors;
		to->unfinished += f->total[d].unfinished;
		for (unsigned l = 0; l < LIVE_LATS; l++) {
			to->lat_n[l] += f->total[d].lat_n[l];
			to->lat_sum[l] += f->total[d].lat_sum[l];
		}
	}
}

/* Adds an entry of jobs[]; none for jobs with stats=0. */
static void add_live_entry(struct build *b, uint32_t report, uint64_t length_ns)
{
	const struct live_entry *e = &b->jobs->entry[report];
	const struct plan *p = b->jobs->plan;
	struct live_job *job = &b->m->job[b->to->njobs];
	enum state state = NONE;
	const uint32_t *member;
	uint32_t n = plan_members(p, report, &member);

	*job = (struct live_job){ .now = { .kind = e->kind, .in_flight_known = b->counts_in_flight } };
	for (uint32_t i = 0; i < n; i++) {
		const struct plan_job *pj = &p->jobs[member[i]];

		if (!pj->job->opts.report.stats)
			continue;
		if (!job->name) {
			job->name = pj->job->name;
			job->rw = plan_rw_name(pj->rw);
			job->engine = pj->job->engine->name;
			job->group = pj->group;
			job->depth = plan_iodepth(pj);
		}
		add_worker(b, job, (unsigned)b->to->njobs, pj, &state);
	}
	if (!job->name)
		return;
	job->state = state_names[state];
	for (unsigned d = 0; d < DIR_COUNT; d++)
		job->now.total[d] = e->total[d];
	set_dirs(&job->now, &e->now, length_ns);
	ival_sum_merge(&b->m->total, &e->now);
	add_to_all(&b->to->all, &job->now);
	b->to->njobs++;
}

/* Returns the latency that all entries measure; LAT_KINDS: they measure different ones. */
static enum lat_kind common_kind(const struct live_jobs *j)
{
	enum lat_kind kind = j->entry[0].kind;

	for (uint32_t i = 1; i < j->plan->nreports; i++)
		if (j->entry[i].kind != kind)
			return LAT_KINDS;
	return kind;
}

void live_figures(struct live_report *to, struct live_figures_memory *m, const struct live_jobs *j,
		  const struct run *r, uint64_t end_ns, uint64_t length_ns)
{
	struct build b = { .to = to, .m = m, .jobs = j, .run = r, .end_ns = end_ns, .now_ns = clock_ns() };
	uint64_t depth = 0;

	for (uint32_t i = 0; i < j->plan->njobs; i++)
		depth += j->plan->jobs[i].depth;
	b.counts_in_flight = depth <= IN_FLIGHT_MAX;
	ival_sum_reset(&m->total);
	to->jobs = m->job;
	to->hung = m->hung;
	to->njobs = to->nhung = 0;
	to->all = (struct live_figures){ .kind = common_kind(j), .in_flight_known = b.counts_in_flight };
	for (uint32_t i = 0; i < j->plan->nreports; i++)
		add_live_entry(&b, i, length_ns);
	set_dirs(&to->all, &m->total, length_ns);
}
