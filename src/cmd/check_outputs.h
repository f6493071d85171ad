/* check_outputs.h: the checks of files that a run writes or reads beside its targets. */
#ifndef CHECK_OUTPUTS_H
#define CHECK_OUTPUTS_H

#include <stdbool.h>
#include "plan.h"
#include "target.h"

/* Returns whether a job uses this file, or the file that a write to this path would create. */
bool check_is_target(const struct plan *p, const struct target_facts *f, const char *path);
/* check_verify_state.c: the saved state of the job's writes. Returns 0, or -errno with d. */
int check_verify_state(const struct plan *p, const struct plan_job *pj, struct diag *d);

/* Adds notes about files that saved states will replace. Without verify_state_save a job does not replace a
   file that is no state; it then saves no state. */
void check_verify_state_replaced(struct plan *p);

/* merged_traces.c: the files of merge_blktrace_file. */

/* Returns the file that the job's traces are merged into; NULL: none, or an earlier job writes it. */
const char *merged_traces_file(const struct plan *p, uint32_t job);
/* Refuses the file of two different merges. check_outputs compares it with the other files of a run. Returns
   0 or -errno with d. */
int merged_traces_check(const struct plan *p, struct diag *d);
/* Writes them, before the jobs start. Returns 0 or -errno with d. */
int merged_traces_write(const struct plan *p, struct diag *d);

#endif
