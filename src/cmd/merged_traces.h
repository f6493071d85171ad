/* merged_traces.h: the files of merge_blktrace_file. */
#ifndef MERGED_TRACES_H
#define MERGED_TRACES_H

#include "plan.h"

/* Refuses files that are targets, traces, or those of two different merges. Returns 0 or -errno with d. */
int merged_traces_check(const struct plan *p, struct diag *d);
/* Writes them, before the jobs start. Returns 0 or -errno with d. */
int merged_traces_write(const struct plan *p, struct diag *d);

#endif
