#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include "clock.h"
#include "diag.h"
#include "events.h"
#include "fifo_events.h"
#include "live_copies.h"
#include "processes.h"
#include "ticker.h"
#include "region.h"

/* Children may take this long to exit after their work is over, and again after SIGKILL. */
#define EXIT_NS 400000000u

/* Waits until all children have exited. After a second signal, or when they take too long, it kills them. */
static void end_processes(struct run *r, struct events *e)
{
	uint64_t limit = clock_ns() + EXIT_NS;
	bool killed = r->signals.count > 1;

	if (killed)
		processes_kill(r);
	processes_reap(r);
	while (!processes_gone(&r->processes)) {
		if (clock_ns() >= limit) {
			if (killed)
				break;
			processes_kill(r);
			killed = true;
			limit = clock_ns() + EXIT_NS;
		}
		events_wait(e, r, 20);
	}
	for (uint32_t i = 0; i < r->plan->njobs; i++) {
		if (run_phase(r, i) != PHASE_DONE)
			lost_workers_hang(r, i);
	}
}

static void run_waves(struct run *r, struct events *e)
{
	for (r->wave = 0; r->wave < r->plan->nwaves && !r->signals.count && !r->ended_early; r->wave++) {
		if (r->wave > 0)
			waves_begin(r);
		while (!waves_step(r) && !r->signals.count && !r->ended_early)
			events_wait(e, r, -1);
	}
	/* If the run ended early, the workers of this wave and of later ones end by themselves. */
	for (uint32_t w = 0; w < r->plan->nwaves; w++) {
		while (!waves_ended(r, w) && r->signals.count < 2)
			events_wait(e, r, -1);
	}
}

static void raise_limits(void)
{
	struct rlimit rl;

	if (getrlimit(RLIMIT_NOFILE, &rl) == 0 && rl.rlim_cur < rl.rlim_max) {
		rl.rlim_cur = rl.rlim_max;
		setrlimit(RLIMIT_NOFILE, &rl);
	}
}

static int prepare(struct run *r, struct diag *d)
{
	const struct plan *p = r->plan;
	int ret;

	r->job = calloc(p->njobs + 1, sizeof(*r->job));
	r->ticker = ticker_new(p);
	r->live_copies = live_copies_new(p);
	if (!r->job || !r->ticker || !r->live_copies || !processes_init(&r->processes, p) ||
	    !waves_init(&r->waves, p))
		return diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory for %u jobs", p->njobs);
	ret = region_init(&r->region, p, d);
	if (ret)
		return ret;
	raise_limits();
	return write_pools_init(&r->region.pools, p, d);
}

/* Runs from the first fork to the end of the last process. */
static void run_processes(struct run *r, struct events *e)
{
	struct oom_score score;

	r->oom_kills = oom_kills();
	r->start_ns = clock_ns();
	getrusage(RUSAGE_SELF, &r->start_usage);
	getrusage(RUSAGE_CHILDREN, &r->start_children);
	waves_begin(r); /* before the fork, so that the workers of the first wave need not wait for setup */
	oom_score_raise(&score);
	processes_fork(r);
	oom_score_restore(&score);
	if (r->hooks->workers_forked)
		r->hooks->workers_forked(r->hooks->ctx, r);
	run_waves(r, e);
	r->end_ns = clock_ns();
	end_processes(r, e);
	while (r->trigger.pid && !r->signals.count)
		events_wait(e, r, -1);
	trigger_kill(&r->trigger);
	if (r->hooks->workers_ended)
		r->hooks->workers_ended(r->hooks->ctx, r);
	ticker_finish(r->ticker, r);
}

int run_plan(struct run *r, const struct plan *p, const struct run_hooks *hooks, struct diag *d)
{
	struct events e;
	int ret;

	r->plan = p;
	r->hooks = hooks;
	ret = prepare(r, d);
	if (ret)
		return ret;
	ret = events_init(&e, r, d);
	if (!ret)
		ret = fifo_events_open(&r->region.events, p, d);
	if (!ret)
		ret = cgroups_create(&r->cgroups, p, d);
	if (!ret)
		run_processes(r, &e);
	cgroups_remove(&r->cgroups, &r->region);
	events_fini(&e);
	return ret;
}

void run_fini(struct run *r)
{
	ticker_free(r->ticker);
	live_copies_free(r->live_copies);
	fifo_events_close(r->region.events);
	write_pools_fini(r->region.pools, r->plan);
	region_fini(&r->region);
	free(r->job);
	processes_fini(&r->processes);
	waves_fini(&r->waves);
}

const char *run_stopped_by(const struct run *r)
{
	return fifo_events_stopped_by(r->region.events);
}
