/* session.h: one run of a plan on this machine, in steps that a program calls in this order:

	planning_init       makes the plan of a job set, and checks that it may run (planning.h)
	session_init        remembers the plan; the caller may set a gate
	session_open        opens output, progress and logs; reserves memory for the result
	session_run         does the jobs
	session_collect     makes the result
	session_write       writes the result in every format
	session_fini

   --repeat does all steps again for each run. A program that combines several machines sets run_opts.merge, a
   gate, and merges the results between session_collect and session_write. From session_open until
   session_write signals do not end the program: the run ends, and its result is written. */
#ifndef SESSION_H
#define SESSION_H

#include <stdio.h>
#include "collect_split.h"
#include "cpuidle.h"
#include "diag.h"
#include "diskspd_progress.h"
#include "live.h"
#include "outputs.h"
#include "planning.h"
#include "progress_display.h"
#include "result.h"
#include "run.h"
#include "status.h"
#include "target_storage.h"
#include "trim_holes.h"
#include <stdbool.h>
#include "job.h"

struct cpuidle;
struct diskstat;
struct logs;

/* Address space that is reserved before a run for the result after it, so that a limit (ulimit -v) fails the
   run before the work and not after it. Workers do not inherit it. */
struct session_reserve {
	void *base;
	size_t bytes;
};

/* Facts about the machine during the run, for the result. */
struct session_machine {
	struct diskstat *disks;
	struct cpuidle *idle;
	struct run_split split;
	struct cpu_throttle throttle; /* read when the first wave began */
	struct target_storage storage;
	struct trim_holes trim_holes;
};

/* Output while the run goes on. */
struct session_display {
	struct outputs out;
	struct progress_display progress;
	struct status status;
	struct diskspd_progress diskspd;
	struct live live;
	FILE *debug; /* lines that go into the report (session_debug.c); NULL: none */
};

/* Lets the run wait for other machines before each wave. */
struct session_gate {
	uint64_t (*wave_gate)(void *ctx, struct run *r,
			      uint32_t wave); /* run_hooks.wave_gate; NULL: no gate */
	/* Called from time to time while the run goes on; NULL: not called. */
	void (*tick)(void *ctx, struct run *r);
	/* Makes a status of all machines; by: from status_due. NULL: the session makes its own. */
	void (*status)(void *ctx, struct run *r, const char *by);
	void *ctx;
	uint64_t gate_poll_ns; /* run_hooks.gate_poll_ns */
};
#define SESSION_GATE_TICK_NS 100000000u /* between two calls of tick, if the parent is not busy */

/* The runs of --repeat. */
struct session_runs {
	unsigned run, runs;        /* this one, from 1, and how many; 0: the jobs run once */
	struct result *const *res; /* their results, if files beside the output have them */
	struct notes *printed;     /* the notes that they have printed to the terminal */
};

struct session {
	struct planning *planning;
	struct session_gate gate; /* set between session_init and session_open */
	struct session_runs repeat;
	struct run run;
	struct run_hooks hooks;
	struct logs *logs; /* NULL: none */
	struct session_reserve reserve;
	struct session_machine machine;
	struct session_display display;
};

/* *s is overwritten; planning is the caller's and outlives it. */
void session_init(struct session *s, struct planning *planning);
/* Returns 0 or -errno with d. */
int session_open(struct session *s, struct diag *d);
/* Returns 0, or -errno with d if the run could not start. The result tells which jobs failed. */
int session_run(struct session *s, struct diag *d);
/* Fills *res, which may point into s; call result_free in any case. Returns 0 or -ENOMEM with d. */
int session_collect(struct session *s, struct result *res, struct diag *d);
/* Adds the statuses of the run, which s owns; session_collect has done it for its result. */
void session_add_statuses(const struct session *s, struct result *res);
/* Returns whether session_write writes the files beside the output. They cover all runs of --repeat, so only
   the last run writes them, or a run that failed or was interrupted. */
bool session_writes_files(const struct session *s, const struct result *res);
/* Writes the result. Returns the exit code of the run, with d if writing failed. */
int session_write(struct session *s, struct result *res, struct diag *d);
void session_fini(struct session *s);

/* session_hooks.c: the hooks that the parent calls while the run goes on. */
void session_hooks_init(struct session *s);

/* session_debug.c: the lines of --debug. They go to standard error, or into the text report if the program
   has fio's name, as in fio. */

/* Returns whether the lines go into the report. */
bool session_debug_in_report(const struct session *s);
/* Prints what is known before the run. */
void session_debug_plan(struct session *s);
/* Chooses where workers print: the stream of the other lines, or a file without a name if that stream is a
   file, which is written at the end. Returns 0 or -errno with d. */
int session_debug_open(struct session *s, struct diag *d);
/* Prints what is known after the run. */
void session_debug_workers(struct session *s);
void session_debug_fini(struct session *s);

/* --repeat=N: the jobs run N times, and every run begins as the first one did: files that did not exist
   before the first run are removed before the next one. Plans and runs the jobs N times. The first run that
   fails or is interrupted is the last. Returns its exit code, with d on failure. */
int repeat_run(const struct job_set *set, struct diag *d);

/* result_files.c: the files that a run writes beside its output: --report, --csv and --junit. */

/* Returns whether the options name such a file. */
bool result_files_any(const struct run_opts *o);
/* Writes the results of the runs so far to the files that the options name. Each file is replaced only when
   it is complete. Tries all files. If one cannot be written, the last result gets EXIT_OUTPUT before the
   verdicts (--junit) are written. Returns 0 or the first -errno with d (DIAG_OUTPUT). */
int result_files_write(const struct run_opts *o, struct result *const *res, size_t n, struct diag *d);

#endif
