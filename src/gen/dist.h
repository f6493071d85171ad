/* dist.h: draws random places, some of them more often than others. Pure and seeded.

   Zones: the range is divided into zones, each with its percentage of the accesses; within a zone all blocks
   are equally likely. The accesses of a zone smaller than a block go to the block in which it begins. Blocks
   after the last zone are never accessed.

   zipf, pareto and normal: see skew.h.

   Sequence: the blocks of a list, one after the other, again and again. */
#ifndef DIST_H
#define DIST_H

#include <stdbool.h>
#include <stdint.h>
#include "dir.h"
#include "rng.h"
#include "skew.h"

#define DIST_ZONES 256

struct dist_zone {
	uint32_t access; /* percent */
	uint64_t end;    /* percent of the range, or bytes; UINT64_MAX: the end of the range */
};

/* The zones of one direction. n 0: all blocks are equally likely. The accesses add up to 100. */
struct dist_zones {
	unsigned n;
	uint8_t zone_of_percent[100]; /* the zone of each percent of the accesses, set by dist_prepare */
	struct dist_zone zone[DIST_ZONES];
};

enum dist_kind { DIST_ZONED, DIST_SKEWED, DIST_SEQUENCE };

#define DIST_SEQUENCE_MAX 64

struct dist_cfg {
	enum dist_kind kind;
	struct skew_cfg skew; /* DIST_SKEWED */
	/* DIST_SEQUENCE: the places, and the largest of them plus 1 */
	unsigned sequence_n;
	uint64_t sequence[DIST_SEQUENCE_MAX], sequence_blocks;
	/* DIST_ZONED */
	bool absolute; /* ends are bytes */
	/* random_clip: a zone smaller than a block gives its accesses to a neighbour. Of absolute zones,
	   those after the range's end get no accesses, the others keep theirs, and ends are rounded down to
	   places. */
	bool clip;
	struct dist_zones dir[DIR_DATA];
};

/* Prepares the zones for dist_draw, once all are set. */
void dist_prepare(struct dist_zones *z);
/* Returns the end of the last zone in bytes; 0 if ends are percentages or the last zone ends with the
   range. */
uint64_t dist_end(const struct dist_cfg *c, enum io_dir dir);
/* Returns the sum of the accesses of the zones that begin before `len`: 100 unless zones are clipped. */
unsigned dist_accesses(const struct dist_cfg *c, enum io_dir dir, uint64_t len);
/* Places lo to hi - 1. */
struct dist_range {
	uint64_t lo, hi;
};

/* DIST_ZONED: returns those of the `places` places, which are `align` bytes apart, that get the accesses of a
   zone: the places that begin in it. If none does, because the zone is smaller than a block, it is the block
   in which the zone begins, whose other part belongs to other zones; with `clip` these are the places of the
   next zone that has any, else of the one before. */
struct dist_range dist_zone_range(const struct dist_cfg *c, enum io_dir dir, unsigned zone, uint64_t places,
				  uint64_t align);
/* DIST_ZONED: draws one of the `places` places of the range, which are `align` bytes apart: a zone by its
   accesses, then one of the places of dist_zone_range. accesses is the result of dist_accesses, not 0. */
uint64_t dist_draw(const struct dist_cfg *c, enum io_dir dir, uint64_t places, uint64_t align,
		   unsigned accesses, struct rng *r);

/* dist_curve.c: which share of the I/Os the hottest places of a range get, from the formulas of dist.h and
   skew.h. Pure. */

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
