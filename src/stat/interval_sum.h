/* interval_sum.h: the sum of interval records, of one worker or of several, with histograms. */
#ifndef INTERVAL_SUM_H
#define INTERVAL_SUM_H

#include <stdbool.h>
#include "interval.h"

struct ival_sum_lat {
	uint64_t n, sum, min, max; /* min and max only if n */
	bool bins;                 /* hist has all n */
	struct hist hist;
};

struct ival_sum_dir {
	uint64_t ios, bytes, errors, unfinished;
	struct ival_sum_lat *lat[LAT_KINDS]; /* owned; NULL: none was added yet, or memory was short */
};

/* A zeroed struct is an empty sum. */
struct ival_sum {
	struct ival_sum_dir dir[DIR_COUNT];
};

void ival_sum_add(struct ival_sum *s, const struct ival *rec);
void ival_sum_merge(struct ival_sum *to, const struct ival_sum *from);
/* Returns the midpoint of the bucket of percentile p; 0 without I/Os or a histogram. */
uint64_t ival_sum_percentile(const struct ival_sum_lat *l, double p);
/* Returns whether nothing was added. */
bool ival_sum_empty(const struct ival_sum *s);
/* Empties the sum, but keeps its memory. */
void ival_sum_reset(struct ival_sum *s);
void ival_sum_fini(struct ival_sum *s);

#endif
