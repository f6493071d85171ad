/* collect.h: plan and run -> result. */
#ifndef COLLECT_H
#define COLLECT_H

#include "result.h"
#include "run.h"

struct disk_use;

/* Returns the units in which a job's figures are printed. */
struct result_units collect_units(const struct report_cfg *o);

/* Returns the options of the job that select figures. */
struct summary_cfg collect_summary_cfg(const struct report_cfg *o);

/* Fills r, which result_init has prepared, with jobs, groups, notes, disks and the end of the run. While the
   run goes on (between run_live_begin and run_live_end) it fills in the numbers so far, without notes.
   Returns 0 or -ENOMEM. */
int collect(struct result *r, const struct plan *p, const struct run *run, const struct disk_use *disks,
	    unsigned ndisks);
/* Adds the command line and the global options; it needs no run. */
void collect_command(struct result *r, const struct plan *p);
/* Adds the notes of the plan. reached: the I/O reached the devices, so the note that a page cache would serve
   it is left out. */
void collect_notes(struct result *r, const struct plan *p, bool reached);

#endif
