/* latency_search.h: the search for the depth that meets latency_target, as the ramp of a job. The measurement
   begins with the depth found. */
#ifndef LATENCY_SEARCH_H
#define LATENCY_SEARCH_H

#include "depth_search.h"

struct worker;

/* Begins the search of a job that starts at `start`. The job ends with its runtime even if no I/O succeeds,
   so that no measurement begins. */
void latency_search_begin(struct worker *w, uint64_t start);
/* Counts the batch of n I/Os in w->q.reaped, and begins the next step when a window is over. Call it within
   the slot's sequence. */
void latency_search_account(struct worker *w, unsigned n);

#endif
