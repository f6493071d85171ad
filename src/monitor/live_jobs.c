#include "live_jobs.h"

#include <errno.h>
#include <stdlib.h>

int live_jobs_init(struct live_jobs *j, const struct plan *p, uint64_t interval_ns)
{
	*j = (struct live_jobs){ .plan = p, .interval_ns = interval_ns };
	j->worker = calloc(p->njobs + 1, sizeof(*j->worker));
	j->entry = calloc(p->nreports + 1, sizeof(*j->entry));
	if (!j->worker || !j->entry)
		return -ENOMEM;
	for (uint32_t i = 0; i <= p->nreports; i++)
		j->entry[i].kind = LAT_KINDS;
	for (uint32_t i = 0; i < p->njobs; i++)
		if (p->jobs[i].track[TRACK_LIVE])
			j->entry[p->jobs[i].report].kind = p->jobs[i].series_kind;
	return 0;
}

void live_jobs_fini(struct live_jobs *j)
{
	for (uint32_t i = 0; j->entry && i < j->plan->nreports; i++)
		ival_sum_fini(&j->entry[i].now);
	free(j->entry);
	free(j->worker);
}

/* Returns the end of a record. The first interval of a track may be shorter than the others. */
static uint64_t end_of(const struct live_jobs *j, const struct tracks *t, const struct ival *rec)
{
	uint64_t number = (t->start_ns - j->grid_ns) / j->interval_ns + rec->first;

	if (rec->part_ns)
		return t->finish_ns;
	return j->grid_ns + (number + rec->intervals) * j->interval_ns;
}

static void add_totals(struct live_entry *e, const struct ival *rec)
{
	for (unsigned d = 0; d < DIR_COUNT; d++) {
		const struct ival_dir *from = &rec->dir[d];
		struct live_total *to = &e->total[d];

		to->ios += from->ios;
		to->bytes += from->bytes;
		to->errors += from->errors;
		to->unfinished += from->unfinished;
		for (unsigned l = 0; l < LIVE_LATS; l++) {
			unsigned kind = l == LIVE_RESP ? LAT_RESP : e->kind;

			to->lat_n[l] += kind < LAT_KINDS ? from->lat[kind].n : 0;
			to->lat_sum[l] += kind < LAT_KINDS ? from->lat[kind].sum : 0;
		}
	}
}

void live_jobs_add(struct live_jobs *j, const struct run *r, uint32_t job, const struct ival *rec)
{
	const struct plan_job *pj = &j->plan->jobs[job];
	struct live_worker *w = &j->worker[job];

	w->closed_ns = end_of(j, slot_tracks(run_slot(r, job), pj), rec);
	w->ended = !rec->intervals;
	if (!pj->job->opts.report.stats)
		return;
	ival_sum_add(&j->entry[pj->report].now, rec);
	add_totals(&j->entry[pj->report], rec);
}

bool live_jobs_awaits(const struct live_jobs *j, const struct run *r, uint32_t job, uint64_t end_ns)
{
	enum worker_phase phase = run_phase(r, job);
	const struct tracks *t;

	if ((phase != PHASE_RUN && phase != PHASE_VERIFY) || !j->plan->jobs[job].track[TRACK_LIVE] ||
	    live_jobs_closed(j, job, end_ns))
		return false;
	t = slot_tracks(run_slot(r, job), &j->plan->jobs[job]);
	return t->start_ns < end_ns && (!t->finish_ns || t->finish_ns >= end_ns);
}

bool live_jobs_any_io(const struct live_jobs *j)
{
	for (uint32_t i = 0; i < j->plan->nreports; i++)
		if (!ival_sum_empty(&j->entry[i].now))
			return true;
	return false;
}

void live_jobs_next(struct live_jobs *j, const struct run *r)
{
	for (uint32_t i = 0; i < j->plan->nreports; i++)
		ival_sum_reset(&j->entry[i].now);
	for (uint32_t i = 0; i < j->plan->njobs; i++)
		j->worker[i].ramp_ios = run_phase(r, i) == PHASE_RAMP ? slot_live_ios(run_slot(r, i)) : 0;
}
