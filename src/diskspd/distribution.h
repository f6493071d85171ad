/* distribution.h: the byte ranges and shares of a distribution (-rd) on a target of a given size, as
   DISKSPD's report shows them. Pure. */
#ifndef DISKSPD_DISTRIBUTION_H
#define DISKSPD_DISTRIBUTION_H

#include "profile.h"

/* A share of the I/O and its range of bytes, relative to the base (-B). */
struct ds_effective_range {
	double io_percent; /* 0: no I/O goes here */
	uint64_t begin, end;
};

/* Fills `out`, which has room for t->ranges + 1, with contiguous ranges whose bounds are aligned down.
   Ranges beyond the end of the target are cut off; then *cut is set, and the remaining shares are scaled
   to a total of 100. A range without an aligned offset gives its share to the next one, the last range
   to the one before. Returns the number of ranges; 0: the target has no distribution, or no room for a
   block. */
size_t ds_effective_ranges(const struct ds_target *t, uint64_t size, struct ds_effective_range *out,
			   bool *cut);

#endif
