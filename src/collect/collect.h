/* collect.h: plan and run -> result. */
#ifndef COLLECT_H
#define COLLECT_H

#include "result.h"
#include "run.h"

struct disk_use;

/* How a job's figures are printed. */
struct result_units collect_units(const struct report_cfg *o);

/* Fills r (result_init has been called) with jobs, groups, notes, disks and endings; of a run that goes on
   (between run_live_begin and run_live_end) with what there is so far, without notes. 0 or -ENOMEM. */
int collect(struct result *r, const struct plan *p, const struct run *run, const struct disk_use *disks,
	    unsigned ndisks);
/* Parts of it, which need no run: the words of the command line; what the plan had to note.
 */
void collect_command(struct result *r, const struct plan *p);
void collect_notes(struct result *r, const struct plan *p, bool reached);

#endif
