/* collect_verify.h: what jobs have verified. */
#ifndef COLLECT_VERIFY_H
#define COLLECT_VERIFY_H

#include <stdbool.h>
#include "result.h"
#include "run.h"

/* Adds the counts, and a limited number of damaged ranges, of all workers of entry `report`; at the end of
   the run also notes on blocks that were not checked. Does nothing for jobs that do not verify. */
void collect_verify(struct result *r, struct result_job *job, const struct run *run, uint32_t report);

/* Returns whether this worker was to verify, and has checked nothing, although it ran to its end. */
bool collect_unchecked(const struct plan_job *pj, struct slot *s);

#endif
