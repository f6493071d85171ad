/* resolve.h: the rules that join options. Each rule is a named function and runs once for every job, after
   all of its options are known. */
#ifndef RESOLVE_H
#define RESOLVE_H

#include "job.h"

/* Applies the rules to one job and adds notes. Returns 0 or -errno with d, which names file and line of the
   option. */
int resolve_job(struct job_set *set, struct job *job, struct diag *d);
/* Checks all jobs together: their number with clones, thread groups and events. Returns 0 or
   -errno with d. */
int resolve_count(struct job_set *set, struct diag *d);

#endif
