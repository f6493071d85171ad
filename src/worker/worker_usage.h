/* worker_usage.h: the time of day, CPU time and page faults of the measured phase, in the worker's slot. */
#ifndef WORKER_USAGE_H
#define WORKER_USAGE_H

#include <stdint.h>

struct wcount;
struct worker;

/* The measured phase begins: records the time of day and the CPU time used so far. */
void worker_usage_start(struct worker *w, uint64_t start_ns);
/* The measured phase is over. In the slot's sequence (phase.h). */
void worker_usage_end(struct worker *w, uint64_t end_ns);
/* Sets the CPU time and page faults since the start of the measured phase. */
void worker_usage(const struct worker *w, struct wcount *c);

#endif
