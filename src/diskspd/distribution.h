/* distribution.h: what a distribution (-rd) comes to on a target of a given size, as DISKSPD reports it. */
#ifndef DISKSPD_DISTRIBUTION_H
#define DISKSPD_DISTRIBUTION_H

#include "profile.h"

/* So much of the I/O goes to these bytes, counted from the base (-B). */
struct ds_effective_range {
	double io_percent; /* percent; 0: a hole */
	uint64_t begin, end;
};

/* Ranges one after another up to the end of the target, or of what may be used of it; bounds are aligned
   down. What lies behind the end is cut off, and the shares that are left are scaled to 100: *cut. A range
   that holds no aligned offset gives its share to the next one, the last one to the one before. `out` has
   room for t->ranges + 1. Returns how many; 0: no distribution, or no room for a block. */
size_t ds_effective_ranges(const struct ds_target *t, uint64_t size, struct ds_effective_range *out,
			   bool *cut);

#endif
