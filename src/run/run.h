/* run.h: carries out a plan. Maps the region, forks the workers, starts the waves, and handles signals and
   deaths. run_snapshot.h reads the numbers during the run and after it. */
#ifndef RUN_H
#define RUN_H

#include <stdbool.h>
#include <stdint.h>
#include "cgroups.h"
#include "plan.h"
#include "processes.h"
#include "region.h"
#include "trigger.h"
#include "waves.h"

struct ival;
struct live_copies;
struct run;
struct ticker;

/* The parent calls these between events. Any of them may be NULL. */
struct run_hooks {
	void *ctx;
	uint64_t tick_ns; /* longest time between two calls of `tick`; 0: as often as the ticker runs */
	uint64_t due_ns;  /* clock_ns() of one more call of `tick`; 0: none. The hooks may change it */
	/* The parent also calls it after SIGUSR1 (r->status_requested, which the hook clears) and after the
	   terminal was resized. */
	void (*tick)(void *ctx, struct run *r);
	void (*workers_forked)(void *ctx, struct run *r);                  /* helpers may be forked now */
	void (*wave_setup)(void *ctx, const struct run *r, uint32_t wave); /* its layout begins */
	void (*wave_open)(void *ctx, const struct run *r, uint32_t wave);  /* its clock starts */
	/* The gate of a wave: the parent asks it when the first stage of the wave may start. Returns the
	   clock_ns() at which the workers start, now or later, or 0 if the wave must wait: the parent then
	   goes on with its events and asks again, at least every gate_poll_ns. The hook must not block; it
	   may call waves_end_run. NULL: the wave starts at once. */
	uint64_t (*wave_gate)(void *ctx, struct run *r, uint32_t wave);
	uint64_t gate_poll_ns; /* rounded up to a whole millisecond */
	/* Takes a record of one of the job's tracks (plan_job.tracks, plan_track). Records come in order, and
	   rec is valid during the call. The intervals are counted from slot_tracks(...)->start_ns. */
	void (*interval)(void *ctx, const struct run *r, uint32_t job, unsigned track,
			 const struct ival *rec);
	/* All workers have ended. Records that `has_room` refused are still in their rings: the hook may call
	   ticker_drain; afterwards `interval` gets the rest, whether it has room or not. */
	void (*workers_ended)(void *ctx, struct run *r);
	/* Returns whether `interval` can take such a record now; NULL means always. Otherwise the record
	   stays in its ring; while the ring is full, one record comes to cover several intervals. Not called
	   once all workers have ended. */
	bool (*has_room)(void *ctx, const struct run *r, uint32_t job, unsigned track);
};

/* How one worker ended. */
struct run_job {
	bool reaped;      /* its process is gone; of a thread: the thread host */
	bool end_handled; /* waves.c has handled its end */
	int term_signal;  /* the signal that killed it; 0: none */
	int exit_code;
	uint64_t end_ns; /* when the parent noticed */
};

/* The signals that ended the run. */
struct run_signals {
	int first;            /* signal number of the first one; 0: none */
	unsigned count;       /* 0, 1 or 2; after 2 the parent waits for no worker */
	uint64_t first_ns;    /* when the first one came */
	uint64_t deadline_ns; /* after a second one: count becomes 2 at this time; 0: none */
};

struct run {
	const struct plan *plan;
	const struct run_hooks *hooks;
	struct region region;
	struct cgroups cgroups;
	struct processes processes;
	struct waves waves;
	struct trigger trigger;
	struct ticker *ticker;
	struct live_copies *live_copies; /* copies of the numbers of running workers */
	bool live_on;                    /* between run_live_begin and run_live_end */
	struct run_job *job;             /* by plan_job.index */
	uint64_t start_ns, end_ns;
	struct rusage start_usage, start_children; /* of this process and its children at start_ns */
	uint64_t oom_kills;                        /* of the whole machine, before the start */
	uint32_t wave;                             /* current wave */
	bool ended_early;      /* exit_what=all, the trigger, event_stop or an output error ended the run */
	bool status_requested; /* SIGUSR1 came */
	struct run_signals signals;
};

/* Runs the plan to its end. Returns 0, or -errno with d if the run could not start; errors of workers are in
   their slots. r is zeroed; call run_fini in any case. */
int run_plan(struct run *r, const struct plan *p, const struct run_hooks *hooks, struct diag *d);
void run_fini(struct run *r);

/* Returns the event that ended the run (event_stop); NULL: none. */
const char *run_stopped_by(const struct run *r);

/* advance.c: returns a number that changes while workers get on: when I/Os complete, when a worker enters
   another phase, and when a worker uses CPU time for work that has no I/Os: opening, laying out and closing
   files, end_fsync, the wait for a command, the engines cpuio and exec. CPU time counts for nothing else,
   since a worker may spin while it waits for a device. */
uint64_t run_advance(const struct run *r);

static inline struct slot *run_slot(const struct run *r, uint32_t job)
{
	return region_slot(&r->region, job);
}

static inline enum worker_phase run_phase(const struct run *r, uint32_t job)
{
	return region_phase(&r->region, job);
}

static inline bool run_is_thread(const struct run *r, uint32_t job)
{
	return r->plan->jobs[job].job->opts.group.thread;
}

#endif
