/* waves.h: starts and ends jobs: waves, stages, exitall. */
#ifndef WAVES_H
#define WAVES_H

#include <stdbool.h>
#include <stdint.h>

struct plan;
struct run;

/* A stage of the current wave, as the parent sees it. */
struct wave_stage {
	enum { STAGE_CLOSED, STAGE_SETUP, STAGE_OPEN } state;
	uint32_t in_layout; /* jobs that still lay out files */
	uint32_t not_ready; /* jobs that are not at the gate yet */
	uint32_t not_done;  /* jobs that have not ended */
};

struct waves {
	struct wave_stage *stage; /* by plan_job.stage */
	uint32_t *first_job;      /* by wave, and one more: its first plan_job.index */
	bool any_exitall;         /* some job has exitall */
	uint8_t *exit_what;       /* by group: 0, or 1 + the widest enum exit_what of its jobs with exitall */
	bool *group_stopped;      /* by group: its jobs have been asked to end */
	bool at_gate;             /* the parent asks the hook wave_gate until it opens the gate */
	bool *permitted;          /* by plan target: wave_targets_check() has permitted it in this wave */
	uint32_t wave_stopped;    /* 1 + the wave whose jobs have been asked to end; 0: none */
};

/* Returns false if memory is short. Call waves_fini in any case. */
bool waves_init(struct waves *w, const struct plan *p);
void waves_fini(struct waves *w);
/* Begins the layout of r->wave. */
void waves_begin(struct run *r);
/* Reads the phases of the jobs of r->wave if the expected notifications have arrived, and starts the stages
   that may start. Returns true when all jobs have ended. */
bool waves_step(struct run *r);
/* Returns whether all jobs of this wave have ended. */
bool waves_ended(struct run *r, uint32_t wave);
/* Tells all jobs to end, also those that have not started. */
void waves_stop_workers(struct run *r);
/* Tells one job to end, also one that has not started. */
void waves_stop_job(struct run *r, uint32_t job);
/* Ends the runtime of a job early: it goes on to its cooldown, its verification or its end. */
void waves_end_runtime(struct run *r, uint32_t job);
/* Ends the run as exit_what=all does. */
void waves_end_run(struct run *r);

/* wave_targets.c: looks again at what the jobs of the present wave write, because earlier waves may have
   taken hours. Jobs whose target may not be written any more get the reason as their error, and do not begin.
   No worker may be using the targets. */
void wave_targets_check(struct run *r);

#endif
