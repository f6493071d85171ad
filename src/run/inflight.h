/* inflight.h: the I/Os that a worker had handed over when it was lost. */
#ifndef INFLIGHT_H
#define INFLIGHT_H

#include <stdint.h>
#include "run.h"

struct inflight {
	const char *op, *path; /* path is the plan's */
	uint64_t offset, length, age_ns;
};

/* Of a worker that did not end by itself: fills up to max, oldest first, and returns how many there are. */
uint32_t run_inflight(const struct run *r, uint32_t job, struct inflight *out, uint32_t max);

#endif
