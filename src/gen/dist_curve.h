/* dist_curve.h: which share of the I/Os the hottest places of a range get, from the formulas of dist.h and
   skew.h. Pure. */
#ifndef DIST_CURVE_H
#define DIST_CURVE_H

#include <stdint.h>
#include "dist.h"

struct dist_curve {
	const struct dist_cfg *cfg; /* NULL: all places are equally likely */
	uint64_t places;
	double total; /* zipf: the sum of k^-theta; normal: the part of the bell within the range */
	/* The pieces into which the ends of the zones cut the range, the hottest first. A block may belong to
	   several zones that are smaller than it. */
	unsigned npieces;
	struct {
		uint64_t places;
		double share;
	} piece[2 * DIST_ZONES];
};

/* Prepares the curve of the reads. places > 0; they are `align` bytes apart. cfg must outlive the curve. */
void dist_curve_init(struct dist_curve *c, const struct dist_cfg *cfg, uint64_t places, uint64_t align);
/* Returns the share of the I/Os, 0 to 1, that the hottest `places` places get. */
double dist_curve_share(const struct dist_curve *c, uint64_t places);
/* Returns the least number of places that get this share of the I/Os together. */
uint64_t dist_curve_places(const struct dist_curve *c, double share);

#endif
