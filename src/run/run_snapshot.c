#include "run_snapshot.h"

#include <string.h>
#include "live_copies.h"
#include "run.h"
#include "ticker.h"

void run_live_begin(struct run *r)
{
	ticker_drain(r->ticker, r);
	live_copies_begin(r->live_copies, r);
	r->live_on = true;
}

void run_live_end(struct run *r)
{
	live_copies_end(r->live_copies, r);
	r->live_on = false;
}

/* A worker that still runs, or was killed, has not stored its run time. */
static void unfinished_runtime(const struct plan_job *pj, const struct live_times *t, uint64_t end,
			       struct snapshot *snap)
{
	uint64_t ran = end > t->start_ns ? end - t->start_ns : 0;

	wcount_set_runtimes(&snap->cnt, pj->rw, ran);
}

/* After the run no worker writes the slot any more. */
static void copy_slot(const struct run *r, uint32_t job, struct snapshot *snap, struct live_times *t)
{
	struct slot *s = run_slot(r, job);

	*t = (struct live_times){ s->run_start_ns, s->run_end_ns, r->end_ns };
	if (!s->run_start_ns)
		return; /* I/Os of the ramp do not count */
	wstat_merge(snap->st, slot_stat(s), &r->plan->jobs[job].layout);
	tracks_extremes(slot_tracks(s, &r->plan->jobs[job]), snap->st->dir);
	wcount_merge(&snap->cnt, &s->cnt);
}

static uint64_t data_ios(const struct snapshot *snap)
{
	uint64_t n = 0;

	for (unsigned d = 0; d < DIR_DATA; d++)
		n += snap->st->dir[d].ios;
	return n;
}

int run_snapshot(const struct run *r, uint32_t job, struct snapshot *snap)
{
	const struct plan_job *pj = &r->plan->jobs[job];
	struct live_times t;
	int ret = snap_init(snap, &pj->layout);

	if (ret)
		return ret;
	if (r->live_on)
		live_copies_take(r->live_copies, r, job, snap, &t);
	else
		copy_slot(r, job, snap, &t);
	if (t.start_ns && !t.end_ns)
		unfinished_runtime(pj, &t, r->job[job].end_ns ? r->job[job].end_ns : t.stamp_ns, snap);
	if (t.end_ns || snap->cnt.user_us + snap->cnt.sys_us)
		snap->cnt.cpu_ios = data_ios(snap);
	if (snap->cnt.user_instructions + snap->cnt.kernel_instructions)
		snap->cnt.counted_ios = data_ios(snap);
	snap->members = 1;
	memcpy(snap->bw, ticker_job(r->ticker, TRACK_BW, job), sizeof(snap->bw));
	memcpy(snap->iops, ticker_job(r->ticker, TRACK_IOPS, job), sizeof(snap->iops));
	return 0;
}

void run_report_samples(const struct run *r, uint32_t report, struct samples bw[SAMPLE_ROWS],
			struct samples iops[SAMPLE_ROWS])
{
	memcpy(bw, ticker_report(r->ticker, TRACK_BW, report), SAMPLE_ROWS * sizeof(*bw));
	memcpy(iops, ticker_report(r->ticker, TRACK_IOPS, report), SAMPLE_ROWS * sizeof(*iops));
}

struct series *run_series(const struct run *r)
{
	return ticker_series(r->ticker);
}
