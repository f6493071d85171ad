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

#endif
