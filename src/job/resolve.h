/* resolve.h: the rules that join options, each a named function, applied once to every job when all of its
   options are known. */
#ifndef RESOLVE_H
#define RESOLVE_H

#include "job.h"

/* 0 or -errno with d (file:line of the option at fault). Adds notes. */
int resolve_job(struct job_set *set, struct job *job, struct diag *d);
/* All jobs together, clones included: against --max-jobs, and against each other. */
int resolve_count(struct job_set *set, struct diag *d);

#endif
