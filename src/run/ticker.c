#include "ticker.h"

#include <stdlib.h>
#include "clock.h"
#include "run.h"
#include "series.h"

/* A ring holds about 40 records with histograms, or hundreds without. */
#define DRAIN_INTERVALS 16
#define DRAIN_MIN_NS    50000000u
#define DRAIN_MAX_NS    1000000000u
#define SERIES_BYTES    (16u << 20)

struct ticker {
	const struct plan *plan;
	struct sampler *rate[TRACK_IOPS + 1];
	struct series series;
	struct steady_watch *steady; /* NULL: no job ends in its steady state */
	bool *finished;              /* by job: all of its records have been taken */
};

struct ticker *ticker_new(const struct plan *p)
{
	bool per_job = p->set->run.series == SERIES_JOB;
	struct ticker *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->plan = p;
	t->finished = calloc(p->njobs + 1, sizeof(*t->finished));
	if (steady_watch_wanted(p)) {
		t->steady = steady_watch_new(p);
		if (!t->steady)
			goto fail;
	}
	t->rate[TRACK_BW] = sampler_new(p, TRACK_BW);
	t->rate[TRACK_IOPS] = sampler_new(p, TRACK_IOPS);
	if (series_init(&t->series, per_job ? p->njobs : p->ngroups, p->series_ns, SERIES_BYTES) ||
	    !t->finished || !t->rate[TRACK_BW] || !t->rate[TRACK_IOPS])
		goto fail;
	return t;
fail:
	ticker_free(t);
	return NULL;
}

void ticker_free(struct ticker *t)
{
	if (!t)
		return;
	sampler_free(t->rate[TRACK_BW]);
	sampler_free(t->rate[TRACK_IOPS]);
	series_fini(&t->series);
	steady_watch_free(t->steady);
	free(t->finished);
	free(t);
}

uint64_t ticker_every_ns(const struct plan *p)
{
	uint64_t shortest = DRAIN_MAX_NS, every;

	for (uint32_t i = 0; i < p->njobs; i++)
		for (unsigned k = 0; k < p->jobs[i].tracks.n; k++)
			if (p->jobs[i].tracks.track[k].len_ns < shortest)
				shortest = p->jobs[i].tracks.track[k].len_ns;
	every = shortest * DRAIN_INTERVALS;
	for (uint32_t i = 0; i < p->njobs; i++)
		if (p->jobs[i].track[TRACK_STEADY] && p->jobs[i].job->opts.steady.interval_ns / 2 < every)
			every = p->jobs[i].job->opts.steady.interval_ns / 2;
	if (every < DRAIN_MIN_NS)
		return DRAIN_MIN_NS;
	return every < DRAIN_MAX_NS ? every : DRAIN_MAX_NS;
}

static uint64_t stage_start_ns(const struct run *r, uint32_t stage)
{
	return atomic_load_explicit(&r->region.stages[stage].start_ns, memory_order_relaxed);
}

/* Returns how long after `since` the job's measurement began. */
static uint64_t delay_after(const struct tracks *tracks, uint64_t since)
{
	return tracks->start_ns > since ? tracks->start_ns - since : 0;
}

static bool uses(const struct plan_job *pj, enum track_use use, unsigned track)
{
	return pj->track[use] == track + 1;
}

/* Returns when the first stage began; it need not belong to the first wave. */
static uint64_t run_start_ns(const struct run *r)
{
	uint64_t first = UINT64_MAX;

	for (uint32_t i = 0; i < r->plan->nstages; i++)
		if (stage_start_ns(r, i) && stage_start_ns(r, i) < first)
			first = stage_start_ns(r, i);
	return first;
}

static void add_to_series(struct ticker *t, const struct run *r, uint32_t i, const struct tracks *tracks,
			  const struct ival *rec)
{
	const struct plan_job *pj = &t->plan->jobs[i];
	unsigned group = t->plan->set->run.series == SERIES_JOB ? i : pj->group;
	uint64_t len = t->plan->series_ns, late;

	if (!t->series.start_ns)
		t->series.start_ns = run_start_ns(r);
	late = delay_after(tracks, t->series.start_ns);
	series_add(&t->series, group, (late + len / 2) / len, pj->series_kind, rec);
}

/* Returns whether the job read back its writes in a part of the record's time, after it had done them all. */
static bool reads_back(const struct run *r, uint32_t i, const struct tracks *tracks, const struct ival *rec)
{
	const struct plan_job *pj = &r->plan->jobs[i];
	uint64_t end = tracks->start_ns + (rec->first + rec->intervals) * pj->job->opts.steady.interval_ns;

	return pj->verify.reads && !pj->verify.backlog && region_phase(&r->region, i) >= PHASE_VERIFY &&
	       end > atomic_load_explicit(&run_slot(r, i)->verify_start_ns, memory_order_relaxed);
}

static void pass_on(struct ticker *t, const struct run *r, uint32_t i, unsigned track, const struct ival *rec)
{
	const struct plan_job *pj = &t->plan->jobs[i];
	const struct tracks *tracks = slot_tracks(run_slot(r, i), pj);
	uint64_t wave_ns = stage_start_ns(r, t->plan->stages[pj->stage].base);
	const struct run_hooks *h = r->hooks;

	if (h && h->interval)
		h->interval(h->ctx, r, i, track, rec);
	for (unsigned use = TRACK_BW; use <= TRACK_IOPS; use++) {
		if (uses(pj, use, track))
			sampler_add(t->rate[use], i, delay_after(tracks, wave_ns), rec);
	}
	if (uses(pj, TRACK_STEADY, track) && !reads_back(r, i, tracks, rec))
		steady_watch_add(t->steady, i, delay_after(tracks, wave_ns), rec);
	if (uses(pj, TRACK_SERIES, track) && pj->job->opts.report.stats)
		add_to_series(t, r, i, tracks, rec);
}

static bool has_room(const struct run *r, uint32_t i, unsigned track)
{
	const struct run_hooks *h = r->hooks;

	return !h || !h->has_room || h->has_room(h->ctx, r, i, track);
}

static void drain_job(struct ticker *t, const struct run *r, uint32_t i, bool all)
{
	struct tracks *tracks = slot_tracks(run_slot(r, i), &t->plan->jobs[i]);
	struct ival rec;

	for (unsigned k = 0; k < t->plan->jobs[i].tracks.n; k++) {
		while ((all || has_room(r, i, k)) && tracks_peek(tracks, k, &rec)) {
			pass_on(t, r, i, k, &rec);
			tracks_drop(tracks, k);
		}
	}
}

/* The worker has ended. If it died, this closes its last intervals in its place. */
static void end_job(struct ticker *t, const struct run *r, uint32_t i, bool all)
{
	struct slot *s = run_slot(r, i);
	struct tracks *tracks = slot_tracks(s, &t->plan->jobs[i]);
	uint64_t end = r->job && r->job[i].end_ns ? r->job[i].end_ns : clock_ns();

	wstat_fold(slot_stat(s), &t->plan->jobs[i].layout);
	tracks_finish(tracks, slot_stat(s), end);
	drain_job(t, r, i, all);
	t->finished[i] = tracks_finished(tracks);
	for (unsigned k = 0; k < t->plan->jobs[i].tracks.n && t->finished[i]; k++) {
		struct ival rec;

		t->finished[i] = !tracks_peek(tracks, k, &rec);
	}
	if (t->finished[i]) {
		sampler_job_ended(t->rate[TRACK_BW], i);
		sampler_job_ended(t->rate[TRACK_IOPS], i);
		if (t->steady)
			steady_watch_job_ended(t->steady, i);
	}
}

static void drain(struct ticker *t, const struct run *r, bool all)
{
	for (uint32_t i = 0; i < t->plan->njobs; i++) {
		bool done = run_phase(r, i) == PHASE_DONE;

		if (t->finished[i])
			continue;
		drain_job(t, r, i, all);
		if (done || all)
			end_job(t, r, i, all);
	}
}

void ticker_drain(struct ticker *t, const struct run *r)
{
	drain(t, r, false);
	sampler_flush(t->rate[TRACK_BW]);
	sampler_flush(t->rate[TRACK_IOPS]);
	if (t->steady)
		steady_watch_judge(t->steady);
}

void ticker_finish(struct ticker *t, const struct run *r)
{
	drain(t, r, true);
	sampler_finish(t->rate[TRACK_BW]);
	sampler_finish(t->rate[TRACK_IOPS]);
	if (t->steady)
		steady_watch_judge(t->steady);
}

bool ticker_next_steady(struct ticker *t, uint32_t *report)
{
	return t->steady && steady_watch_next(t->steady, report);
}

const struct steady_window *ticker_steady(const struct ticker *t, uint32_t report)
{
	return steady_watch_window(t->steady, report);
}

const struct samples *ticker_job(const struct ticker *t, enum track_use rate, uint32_t job)
{
	return sampler_job(t->rate[rate], job);
}

const struct samples *ticker_report(const struct ticker *t, enum track_use rate, uint32_t report)
{
	return sampler_report(t->rate[rate], report);
}

struct series *ticker_series(struct ticker *t)
{
	return &t->series;
}
