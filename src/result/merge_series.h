/* merge_series.h: the series of several results on one grid. For merge.c. */
#ifndef MERGE_SERIES_H
#define MERGE_SERIES_H

#include "result.h"

/* While results are added, the grid begins in 1970. A zeroed one is empty. */
struct merge_series {
	uint64_t origin_ns; /* since 1970: the start of the grid */
	struct series data;
	struct {
		struct result_series_label *v; /* one for each group of data; the merge owns the names */
		size_t n, cap;
	} label;
	struct {
		uint64_t *v; /* when each group ended */
		size_t n, cap;
	} end;
	uint64_t begin_ns[2];  /* since 1970: when the first and the last result began */
	uint64_t first_end_ns; /* when the first of them ended */
	size_t added, missing; /* results with and without a series */
};

/* Adds the series of a result: groups with the same name and group number are added up. A result without a
   series is counted as missing. Returns 0 or -ENOMEM. */
int merge_series_add(struct merge_series *s, const struct result *r);
/* Moves the series into *r, with notes if it is not complete. If there was no moment at which all results
   ran, *r gets no series, because a sum over time would mean nothing. */
void merge_series_finish(struct merge_series *s, struct result *r);
void merge_series_fini(struct merge_series *s);

#endif
