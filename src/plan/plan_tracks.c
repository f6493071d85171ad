/* plan_tracks.c: the intervals that workers close, and the statistics of each. */
#include "plan_build.h"

#include <errno.h>
#include <string.h>

#define MS 1000000u
/* A run of up to FEW_WORKERS workers has the finer series. They write some hundred records a second. */
#define SERIES_FINE_NS   100000000u
#define SERIES_COARSE_NS 500000000u
#define FEW_WORKERS      64
/* Limit of --series=job, so that memory holds some intervals of each worker. */
#define SERIES_MOST 2048u

/* Returns the length of samples. As in fio it is that of the matching log's windows, unless the option is
   shorter. */
static uint64_t sample_ns(const struct plan_job *pj, const char *option, uint32_t ms, const char *log)
{
	const struct log_cfg *l = &pj->job->opts.log;

	if (log && l->avg_ms && (l->avg_ms < ms || !job_user_option(pj->job, option)))
		ms = l->avg_ms;
	return (uint64_t)ms * MS;
}

static void add_track(struct plan_job *pj, enum track_use use, uint64_t len_ns, unsigned moments,
		      unsigned hists)
{
	if (len_ns)
		pj->track[use] = (uint8_t)(1 + tracks_want(&pj->tracks, len_ns, moments, hists));
}

static uint64_t len_of(const struct plan_job *pj, enum track_use use)
{
	unsigned track;

	return plan_track(pj, use, &track) ? pj->tracks.track[track].len_ns : 0;
}

/* Returns the previous job of the same report entry; NULL if this is the first. */
static const struct plan_job *previous_in_report(const struct plan *p, const struct plan_job *pj)
{
	uint32_t i = pj->job->opts.group.group_reporting ? pj->index : 0;

	while (i-- > 0 && p->jobs[i].group == pj->group)
		if (p->jobs[i].report == pj->report)
			return &p->jobs[i];
	return NULL;
}

/* Adds the sampled rows. All jobs of a report entry are sampled like the first one, so that samples can be
   added. */
static void add_samples(const struct plan *p, struct plan_job *pj)
{
	const struct plan_job *like = previous_in_report(p, pj);
	const struct job_opts *o = &pj->job->opts;

	if (like) {
		add_track(pj, TRACK_BW, len_of(like, TRACK_BW), 0, 0);
		add_track(pj, TRACK_IOPS, len_of(like, TRACK_IOPS), 0, 0);
	} else if (!o->report.no_bw) {
		add_track(pj, TRACK_BW, sample_ns(pj, "bwavgtime", o->report.bw_avg_ms, o->log.bw), 0, 0);
		add_track(pj, TRACK_IOPS, sample_ns(pj, "iopsavgtime", o->report.iops_avg_ms, o->log.iops), 0,
			  0);
	}
}

/* Prefers a latency with a histogram to one with a mean alone, and of two with histograms the whole one. */
static enum lat_kind series_kind(const struct wstat_layout *l)
{
	static const enum lat_kind kinds[] = { LAT_LAT, LAT_CLAT };

	for (unsigned i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		for (unsigned d = 0; d < DIR_DATA; d++)
			if (l->hist[d][kinds[i]])
				return kinds[i];
	for (unsigned d = 0; d < DIR_DATA; d++)
		if (l->moments[d][LAT_LAT])
			return LAT_LAT;
	return LAT_KINDS;
}

static void add_series(const struct plan *p, struct plan_job *pj)
{
	uint64_t live_ns = p->set->run.live_interval_ns;
	unsigned kinds;

	pj->series_kind = series_kind(&pj->layout);
	kinds = pj->series_kind < LAT_KINDS ? 1u << pj->series_kind : 0;
	for (unsigned d = 0; d < DIR_DATA; d++)
		kinds |= pj->layout.moments[d][LAT_RESP] ? 1u << LAT_RESP : 0;
	add_track(pj, TRACK_SERIES, p->series_ns, kinds, kinds);
	if (live_ns)
		pj->track[TRACK_LIVE] =
			(uint8_t)(1 + tracks_want_on_grid(&pj->tracks, live_ns, kinds, kinds));
}

static void add_logs(struct plan_job *pj)
{
	const unsigned lats = 1u << LAT_SLAT | 1u << LAT_CLAT | 1u << LAT_LAT;
	const struct log_cfg *l = &pj->job->opts.log;

	if (l->bw || l->iops || l->lat)
		add_track(pj, TRACK_LOG, (uint64_t)l->avg_ms * MS, l->lat ? lats : 0, 0);
	if (l->hist)
		add_track(pj, TRACK_HIST, (uint64_t)(l->hist_ms ? l->hist_ms : UINT32_MAX) * MS, 0,
			  1u << LAT_CLAT);
}

static bool await_same_job(const struct plan_job *a, const struct plan_job *b)
{
	const char *x = a->job->opts.group.wait_for, *y = b->job->opts.group.wait_for;

	return x && y ? !strcmp(x, y) : x == y;
}

/* The jobs of a report entry become steady together, by one criterion, so they must run at the same time. */
static int add_steady(struct build *b, struct plan_job *pj)
{
	const struct plan_job *like = previous_in_report(b->p, pj);
	const struct steady_cfg *c = &pj->job->opts.steady, *first = like ? &like->job->opts.steady : c;

	if (c->duration_ns != first->duration_ns || (c->duration_ns && !steady_cfg_equal(c, first)))
		return diag_err(b->d, -EINVAL,
				"{#%s}{steadystate} and its options differ from those of %s; with "
				"{group_reporting} a group becomes steady as a whole",
				pj->job->name, like->job->name);
	if (c->duration_ns && like && !await_same_job(pj, like))
		return diag_err(
			b->d, -EINVAL,
			"{#%s}{steadystate} contradicts {wait_for}: with {group_reporting} the job becomes "
			"steady together with %s, and the two do not run at the same time",
			pj->job->name, like->job->name);
	if (c->duration_ns)
		add_track(pj, TRACK_STEADY, c->interval_ns, c->of == STEADY_LAT ? 1u << LAT_LAT : 0, 0);
	return 0;
}

/* Each worker searches by itself, but a report entry has one depth. */
static int check_search(struct build *b, const struct plan_job *pj)
{
	const struct plan_job *like = previous_in_report(b->p, pj);

	if (!like || (!pj->job->opts.time.search && !like->job->opts.time.search))
		return 0;
	return diag_err(b->d, -EINVAL,
			"{#%s}{latency_target} contradicts {group_reporting} with several workers: each "
			"searches for its own depth",
			pj->job->name);
}

int plan_tracks(struct build *b)
{
	struct plan *p = b->p;

	if (p->set->run.series == SERIES_JOB && p->njobs > SERIES_MOST)
		return diag_err(b->d, -EINVAL,
				"--series=job: %u workers are more than the limit of %u; --series makes one "
				"series for each group",
				p->njobs, SERIES_MOST);
	p->series_ns = p->njobs > FEW_WORKERS ? SERIES_COARSE_NS : SERIES_FINE_NS;
	for (uint32_t i = 0; i < p->njobs; i++) {
		struct plan_job *pj = &p->jobs[i];

		if (!pj->rw)
			continue;
		add_samples(p, pj);
		add_series(p, pj);
		add_logs(pj);
		if (check_search(b, pj) || add_steady(b, pj))
			return b->d->err;
	}
	return 0;
}
