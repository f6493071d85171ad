/* collect_depth.h: the search for the depth that meets latency_target, as the result shows it. */
#ifndef COLLECT_DEPTH_H
#define COLLECT_DEPTH_H

#include <stdint.h>

struct result;
struct result_job;
struct run;

/* After the run: sets the search of an entry, and adds a note if it found no depth. */
void collect_depth(struct result *r, struct result_job *job, const struct run *run, uint32_t report);

#endif
