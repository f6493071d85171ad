/* step_counts.h: counts of the I/O of one worker for each step of rate_steps. They are plain shared memory:
   they hold no pointers and have one writer, and zeroed memory is empty. The parent reads them after the
   worker has ended. */
#ifndef STEP_COUNTS_H
#define STEP_COUNTS_H

#include <stddef.h>
#include <stdint.h>
#include "wstat.h"

/* The latencies of a step: from issue to completion (clat), and from the due time to completion (resp). */
enum step_lat { STEP_CLAT, STEP_RESP, STEP_LATS };

struct step_counts_cfg {
	uint32_t steps; /* 0: none */
	unsigned dirs;  /* directions that are counted, as bits */
};

/* One direction of one step. Unlike in wstat, moments and histograms are zeroed, not empty, while their n is
   0. */
struct step_counts {
	uint64_t ios, bytes;           /* that were due in the step */
	uint64_t late_ios;             /* of these: completed after the step's end */
	uint64_t unfinished;           /* further I/Os that were due in the step and never completed */
	uint64_t done_ios, done_bytes; /* that completed in the step, whenever they were due */
	struct moments lat[STEP_LATS]; /* of `ios`; STEP_RESP also the ages of `unfinished` */
	struct hist hist[STEP_LATS];
};

/* The percentiles of a step. */
enum step_percentile { STEP_P50, STEP_P99, STEP_PERCENTILES };
extern const double step_percentile[STEP_PERCENTILES];

struct step_lat_figures {
	uint64_t n, min, max, sum;
	double mean;
	uint64_t percentile[STEP_PERCENTILES]; /* 0 without a histogram */
};

size_t step_counts_bytes(const struct step_counts_cfg *c);

/* In `counts`, a worker's memory of step_counts_bytes(). dir is one of c->dirs. */
static inline struct step_counts *step_counts_of(void *counts, const struct step_counts_cfg *c, uint32_t step,
						 unsigned dir)
{
	unsigned before = (unsigned)__builtin_popcount(c->dirs & ((1u << dir) - 1));

	return (struct step_counts *)counts + step * (unsigned)__builtin_popcount(c->dirs) + before;
}

void step_counts_add_lat(struct step_counts *s, enum step_lat kind, uint64_t ns);
/* Adds `from` to `to`, which is zeroed memory or in use. */
/* Counts n I/Os that were due for age_ns and did not complete. */
void step_counts_add_unfinished(struct step_counts *s, uint64_t age_ns, uint64_t n);
void step_counts_merge(struct step_counts *to, const struct step_counts *from);
void step_counts_figures(const struct step_counts *s, enum step_lat kind, struct step_lat_figures *out);

#endif
