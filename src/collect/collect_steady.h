/* collect_steady.h: whether a report entry has reached its steady state (steadystate), as the result shows
 * it. */
#ifndef COLLECT_STEADY_H
#define COLLECT_STEADY_H

#include <stdint.h>

struct result;
struct result_job;
struct run;

void collect_steady(struct result *r, struct result_job *job, const struct run *run, uint32_t report);

#endif
