/* pace_steps.h: rates that change at given times (rate_steps). Pure. */
#ifndef PACE_STEPS_H
#define PACE_STEPS_H

#include <stdbool.h>
#include <stdint.h>
#include "dir.h"

#define PACE_STEPS_MAX 64

struct pace_step {
	uint64_t start_ns;       /* since the measurement began */
	uint64_t rate[DIR_DATA]; /* per second; 0: no I/O */
};

/* The first step starts at 0, and each later one after the one before. The last one lasts until the job
   ends. */
struct pace_steps {
	uint32_t n;    /* 0: the rate does not change */
	bool by_bytes; /* the rates count bytes, not I/Os */
	struct pace_step step[PACE_STEPS_MAX];
};

/* Returns the step at this time. */
static inline uint32_t pace_step_at(const struct pace_steps *s, uint64_t ns)
{
	uint32_t i = 0;

	while (i + 1 < s->n && ns >= s->step[i + 1].start_ns)
		i++;
	return i;
}

/* Returns the end of a step; UINT64_MAX for the last one. */
static inline uint64_t pace_step_end(const struct pace_steps *s, uint32_t step)
{
	return step + 1 < s->n ? s->step[step + 1].start_ns : UINT64_MAX;
}

/* Returns the greatest rate of a direction. */
static inline uint64_t pace_steps_max(const struct pace_steps *s, unsigned dir)
{
	uint64_t max = 0;

	for (uint32_t i = 0; i < s->n; i++)
		max = s->step[i].rate[dir] > max ? s->step[i].rate[dir] : max;
	return max;
}

#endif
