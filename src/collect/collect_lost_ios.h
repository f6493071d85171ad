/* collect_lost_ios.h: lists the I/Os that never completed, because their worker was lost. */
#ifndef COLLECT_LOST_IOS_H
#define COLLECT_LOST_IOS_H

#include "result.h"
#include "run.h"

/* Adds the I/Os of all workers of entry `report`. It lists a limited number of them, and counts all. */
void collect_lost_ios(struct result *r, struct result_job *job, const struct run *run, uint32_t report);

#endif
