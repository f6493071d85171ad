/* dist.h: random places that are not all equally likely. Pure and seeded.

   Zones: the range is divided into zones, each with its share of the accesses; within a zone every block is
   alike. Nothing goes behind the last zone. */
#ifndef DIST_H
#define DIST_H

#include <stdbool.h>
#include <stdint.h>
#include "dir.h"
#include "rng.h"

#define DIST_ZONES 256

struct dist_zone {
	uint32_t access; /* percent */
	uint64_t end;    /* percent of the range, or bytes; UINT64_MAX: where the range ends */
};

/* Of one direction. n 0: every block alike. Accesses add up to 100. */
struct dist_zones {
	unsigned n;
	uint8_t drawn[100]; /* which zone each hundredth of the accesses goes to: dist_finish */
	struct dist_zone zone[DIST_ZONES];
};

struct dist_cfg {
	bool absolute; /* ends are bytes */
	/* random_clip: zones behind the range's end get nothing, the others their accesses; ends are rounded
	   down to places. */
	bool clip;
	struct dist_zones dir[DIR_DATA];
};

/* Fills in what dist_slot needs, when the zones stand. */
void dist_finish(struct dist_zones *z);
/* Bytes that these zones reach to; 0 if they are percentages or end with the range. */
uint64_t dist_reach(const struct dist_cfg *c, enum io_dir dir);
/* What the accesses of those zones add up to that begin before `len`: 100 unless zones are clipped. */
unsigned dist_share(const struct dist_cfg *c, enum io_dir dir, uint64_t len);
/* One of the range's `slots` places, `align` bytes apart. A zone has the places that begin in it; of one
   that has none, the next one with any gets the accesses, or else the one before. share: dist_share, not 0.
 */
uint64_t dist_slot(const struct dist_cfg *c, enum io_dir dir, uint64_t slots, uint64_t align, unsigned share,
		   struct rng *r);

#endif
