/* run.h: makes a plan happen: region, workers, waves, signals; and what can be read of it meanwhile and
 * after. */
#ifndef RUN_H
#define RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include "cgroups.h"
#include "plan.h"
#include "region.h"
#include "series.h"
#include "snapshot.h"

struct run;
struct ticker;
struct live_copies;

/* Called by the parent between events; any may be NULL. */
struct run_hooks {
	void *ctx;
	uint64_t tick_ns; /* how often `tick` wants to be called; 0: never */
	uint64_t due_ns;  /* and at this time, which may be changed meanwhile; clock_ns(), 0: none */
	/* Also when SIGUSR1 has come (r->poked; for the hook to clear) or the terminal has another size. */
	void (*tick)(void *ctx, struct run *r);
	void (*forked)(void *ctx, struct run *r); /* all workers are there: helpers may follow */
	void (*wave_setup)(void *ctx, const struct run *r, uint32_t wave); /* its layout begins */
	void (*wave_open)(void *ctx, const struct run *r, uint32_t wave);  /* its clock starts */
	/* A record of one of the job's tracks (plan_job.tracks, plan_track), in order; rec is valid during
	   the call. The intervals are counted from slot_tracks(...)->start_ns. */
	void (*interval)(void *ctx, const struct run *r, uint32_t job, unsigned track,
			 const struct ival *rec);
	/* Whether such a record can be taken now; NULL: always. If not the track is left alone: when its ring
	   is full, records grow longer. Not asked any more once all workers have ended. */
	bool (*room)(void *ctx, const struct run *r, uint32_t job, unsigned track);
};

/* How one worker ended. */
struct run_job {
	bool reaped;     /* its process is gone (a thread's host's) */
	bool counted;    /* its end has been handled */
	int term_signal; /* it was killed by this; 0: not */
	int exit_code;
	uint64_t end_ns; /* when that was noticed */
};

struct run_child {
	int pid;
	uint32_t job;
};

/* A stage as the parent sees it. */
struct run_stage {
	enum { STAGE_CLOSED, STAGE_SETUP, STAGE_OPEN } state;
	uint32_t laying, unready, undone; /* jobs that have not come so far */
};

/* How the trigger ended the run. */
struct run_trigger {
	bool fired, by_file;
	uint64_t after_ns; /* since the start */
	int pid;           /* of its command; 0: none runs */
	int status;        /* as wait says */
	int error;         /* errno of a command that could not be started */
};

struct run {
	const struct plan *plan;
	struct region region;
	struct cgroups cgroups;
	struct ticker *ticker;
	struct live_copies *live; /* copies of workers that are at work */
	bool live_on;
	const struct run_hooks *hooks;
	struct run_job *job; /* by plan_job.index */
	int *pids;           /* by plan_job.index; of the thread host for threads */
	int host_pid;
	struct run_child *child; /* workers that are processes, by pid */
	uint32_t nchildren, nborn,
		nreaped;         /* how many; jobs that have a process; those whose process is gone */
	struct run_stage *stage; /* by plan_job.stage */
	uint32_t *wave_first;    /* index of a wave's first job; one more than waves */
	bool exitall;            /* some end with others */
	uint8_t *exits; /* by group: 0, or 1 + the widest exit_what of those of its jobs that say exitall */
	bool *group_stopped;   /* by group: its jobs are to end */
	uint32_t wave_stopped; /* 1 + the wave whose jobs are all to end */
	uint64_t start_ns, end_ns;
	uint64_t oom_kills; /* of the whole machine, before the start */
	uint32_t wave;      /* now */
	bool over;          /* a job has ended the run (exit_what=all), or the trigger, or run_stop */
	bool poked;         /* SIGUSR1 */
	struct run_trigger trigger;
	int signal; /* first one that asked to end; 0: none */
	unsigned signals;
	uint64_t signal_ns;    /* when it came */
	uint64_t impatient_ns; /* a second one came: from then on nobody is waited for; 0: none */
};

/* Runs the plan to its end, whatever that is. 0, or -errno with d if it could not start; failures of workers
   are in their slots. r is zeroed; run_fini in any case. */
int run_plan(struct run *r, const struct plan *p, const struct run_hooks *hooks, struct diag *d);
void run_fini(struct run *r);

/* Forks a helper of the parent, which does not outlive it: its process, or -errno. Called in `forked`. */
int run_helper(void (*body)(void *arg), void *arg);

/* The signals that end a run; not those that are ignored (nohup, a shell's background jobs), which signalfd
   would report all the same. */
void run_ending_signals(sigset_t *set);

/* What went wrong with the trigger's command; false: nothing. */
bool run_trigger_failed(const struct run *r, char *why, size_t size);

/* The event that ended the run (event_stop); NULL: none. */
const char *run_stopped_by(const struct run *r);

/* Ends the run as exit_what=all does. */
void run_stop(struct run *r);

/* While the run goes on, run_snapshot is called between these two: best in the order of the reports, and of
   the jobs within each. Takes what the workers have closed of their intervals. */
void run_live_begin(struct run *r);
void run_live_end(struct run *r);

/* The numbers of one job clone, final or so far; snap is filled (snap_fini it). 0 or -ENOMEM. */
int run_snapshot(const struct run *r, uint32_t job, struct snapshot *snap);
struct series *run_series(const struct run *r);
/* bw and iops rows of all members of one entry of the report, time-aligned. */
void run_report_samples(const struct run *r, uint32_t report, struct samples bw[SAMPLE_ROWS],
			struct samples iops[SAMPLE_ROWS]);

static inline struct slot *run_slot(const struct run *r, uint32_t job)
{
	return region_slot(&r->region, job);
}
static inline enum worker_phase run_phase(const struct run *r, uint32_t job)
{
	return region_phase(&r->region, job);
}

#endif
