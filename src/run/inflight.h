/* inflight.h: the I/Os that were in flight when a worker was lost. */
#ifndef INFLIGHT_H
#define INFLIGHT_H

#include <stdint.h>

struct run;

struct inflight {
	const char *op;   /* static */
	const char *path; /* the plan owns it */
	uint64_t offset, length;
	uint64_t age_ns; /* from its start to the worker's end */
};

/* Lists the I/Os of a worker that did not end by itself: up to max of them, oldest first. Returns the
   total number; 0 for a worker that ended normally. */
uint32_t inflight_list(const struct run *r, uint32_t job, struct inflight *out, uint32_t max);

/* Returns how many I/Os a running worker has in flight, and sets *oldest_ns to the clock_ns() at which the
   oldest of them began; 0: unknown. The worker may change them meanwhile, so both are of about now. */
uint32_t inflight_count(const struct run *r, uint32_t job, uint64_t *oldest_ns);

#endif
