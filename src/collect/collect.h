/* collect.h: plan and run -> result. */
#ifndef COLLECT_H
#define COLLECT_H

#include "result.h"
#include "run.h"

struct cpu_throttle;
struct cpuidle;
struct disk_use;

/* Returns the units in which a job's figures are printed. */
struct result_units collect_units(const struct report_cfg *o);

/* Returns the options of the job that select figures. */
struct summary_cfg collect_summary_cfg(const struct report_cfg *o);

/* Fills r, which result_init has prepared, with jobs, groups, notes, disks and the end of the run. While the
   run goes on (between run_live_begin and run_live_end) it fills in the numbers so far, without notes.
   Returns 0 or -ENOMEM. */
int collect_run(struct result *r, const struct plan *p, const struct run *run, const struct disk_use *disks,
		unsigned ndisks);
/* Adds the command line and the global options; it needs no run. */
void collect_command(struct result *r, const struct plan *p);
/* Adds the notes of the plan. reached: the I/O reached the devices, so the note that a page cache would serve
   it is left out. */
void collect_notes(struct result *r, const struct plan *p, bool reached);

/* collect_verify.c: returns whether this worker was to verify, and has checked nothing, although it ran to
 * its end. */
bool collect_unchecked(const struct plan_job *pj, struct slot *s);

/* collect_host_limits.c: adds notes about CPU time that a quota or a hypervisor took from the run since
 * `from` was read. */
void collect_cpu_throttle_notes(struct result *r, const struct cpu_throttle *from);

/* collect_plan.c: plan -> result: workers, waves, seeds, needed space, and files that are overwritten. */

/* If memory is short, some of it is missing. */
void collect_plan(struct result *r, const struct plan *p);

/* idle_prof.c: --idle-prof: adds the idle time of the CPUs, as the kernel counts it, to the result. */

/* Adds the idle time since c was read. c may be NULL: --idle-prof was not given. */
void idle_prof_result(const struct cpuidle *c, enum idle_prof how, struct result *r);
/* Measures how long fio's unit of work takes on this machine. */
void idle_prof_unit(struct result_idle *idle);

#endif
