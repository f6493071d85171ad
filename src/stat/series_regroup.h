/* series_regroup.h: copies a series, with groups added up and intervals made longer. */
#ifndef SERIES_REGROUP_H
#define SERIES_REGROUP_H

#include "series.h"

#define SERIES_LEAVE_OUT UINT32_MAX

/* Fills `to` with ngroups groups: group i of `from` is added to group to_group[i], or left out. Intervals are
   1 << doublings times as long as those of `from`. Sums are exact. Returns 0 or -ENOMEM; the caller frees
   `to` with series_fini. */
int series_regroup(struct series *to, const struct series *from, const uint32_t *to_group, unsigned ngroups,
		   unsigned doublings);
/* The same without the histograms of the latencies. Counts, sums, minima and maxima stay. */
int series_regroup_without_bins(struct series *to, const struct series *from, const uint32_t *to_group,
				unsigned ngroups, unsigned doublings);

#endif
