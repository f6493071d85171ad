/* collect_lost_ios.h: the I/Os that never came back, into an entry of the result. */
#ifndef COLLECT_LOST_IOS_H
#define COLLECT_LOST_IOS_H

#include "result.h"
#include "run.h"

/* Of all workers of entry `report`. What does not fit into memory is counted only. */
void collect_lost_ios(struct result *r, struct result_job *job, const struct run *run, uint32_t report);

#endif
