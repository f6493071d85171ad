/* compare_series.h: figures of one direction of a series, or of all, with their sampling errors
 * (compare_change.h). */
#ifndef COMPARE_SERIES_H
#define COMPARE_SERIES_H

#include "compare_change.h"
#include "series.h"

/* Groups of a series added up, interval by interval. Only whole intervals count: the last one of a run
   rarely is, and the first one need not be. */
struct compare_series {
	const struct series *s;
	const unsigned *groups; /* the caller's */
	unsigned ngroups, from_dir, until_dir;
	enum lat_kind kind;                   /* LAT_KINDS: no latencies */
	uint64_t first;                       /* on the grid */
	size_t n;                             /* intervals */
	double *ios, *bytes, *lats, *lat_sum; /* owned: of each interval */
	double *work;                         /* one value for each interval */
	double all_lats, all_lat_sum;
	struct hist *hist; /* of all intervals; NULL: no latencies */
	bool bins;         /* all latencies have bins */
};

/* dir: DIR_COUNT for reads, writes and trims together. Returns 0 or -ENOMEM. *c is overwritten; call
   compare_series_fini in any case. The series must outlive it. */
int compare_series_init(struct compare_series *c, const struct series *s, const unsigned *group,
			unsigned groups, unsigned dir, enum lat_kind kind);
void compare_series_fini(struct compare_series *c);
/* These set `known` if the series has enough intervals, and then error and df. They do not change value and
   rounding. */
void compare_series_rate(struct compare_series *c, bool bytes, struct compare_side *side);
void compare_series_mean(struct compare_series *c, struct compare_side *side);
/* share: 0.99 for p99. side->quantile points into c. */
void compare_series_percentile(struct compare_series *c, double share, struct compare_side *side);

#endif
