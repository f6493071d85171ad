/* noio.c: runs jobs that do no I/O. The engine does the work; this file handles time and signals for it. */
#include "clock.h"
#include "clone.h"
#include "loop.h"
#include "phase.h"
#include "worker.h"

static bool must_stop(void *arg)
{
	struct worker *w = arg;

	return phase_sleep(w, 0);
}

static bool sleep_ns(void *arg, uint64_t ns)
{
	struct worker *w = arg;

	return phase_sleep(w, clock_ns() + ns);
}

/* Returns true if all jobs of the wave that do I/O have ended; false if the wave has no such job. */
static bool io_jobs_ended(void *arg)
{
	const struct worker *w = arg;
	const struct plan *p = w->clone.plan;
	bool any = false;

	for (uint32_t i = 0; i < p->njobs; i++) {
		const struct plan_job *pj = &p->jobs[i];

		if (pj->wave != w->clone.job->wave || pj->job->engine->caps & ENG_NOIO)
			continue;
		any = true;
		if (region_phase(w->clone.region, i) != PHASE_DONE)
			return false;
	}
	return any;
}

static void note_group(void *arg, int pgid)
{
	struct worker *w = arg;

	atomic_store_explicit(&w->clone.slot->program_pgid, pgid, memory_order_release);
}

void noio_run(struct worker *w)
{
	const struct engine_work work = {
		.arg = w,
		.must_stop = must_stop,
		.sleep = sleep_ns,
		.io_jobs_ended = io_jobs_ended,
		.note_group = note_group,
		.job = w->clone.job->job->name,
		.aux_path = w->clone.plan->set->run.aux_path,
		.rank_name = w->clone.plan->set->run.rank_name,
		.clone = w->clone.job->clone,
		.runtime_ns = w->clone.opts->time.runtime_ns,
	};
	int ret = w->q.eng.engine->work(&w->q.eng, &work);

	if (ret)
		clone_fail_diag(&w->clone, -ret, w->q.eng.d);
}
