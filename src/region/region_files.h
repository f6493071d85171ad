/* region_files.h: the files of a plan as this run has left them: created, removed, written. */
#ifndef REGION_FILES_H
#define REGION_FILES_H

#include "plan.h"
#include "region.h"

/* Returns the record of the file of this target. */
struct region_file *region_files_record(const struct region *r, const struct plan_target *t);
/* Returns true if this run has created the file and not removed it. */
bool region_files_created(const struct region *r, const struct plan_target *t);
/* Returns the facts that the plan saw, corrected by what this run has created or removed since. dir: the run
   creates directories. */
struct target_facts region_files_facts(const struct region *r, const struct plan_target *t, bool dir);
/* Marks the job's files as complete: those of fiord that the run has opened for writing. The job's worker
   calls it at its end; if the worker died, the parent does. */
void region_files_mark_complete(const struct region *r, const struct plan *p, const struct plan_job *pj);

#endif
