/* merged_traces.h: the files of merge_blktrace_file. */
#ifndef MERGED_TRACES_H
#define MERGED_TRACES_H

#include "plan.h"

/* Returns the file that the job's traces are merged into; NULL: none, or an earlier job writes it. */
const char *merged_traces_file(const struct plan *p, uint32_t job);
/* Refuses the file of two different merges. check_outputs compares it with the other files of a run. Returns
   0 or -errno with d. */
int merged_traces_check(const struct plan *p, struct diag *d);
/* Writes them, before the jobs start. Returns 0 or -errno with d. */
int merged_traces_write(const struct plan *p, struct diag *d);

#endif
