/* bsize.h: how large the next I/O is. Pure and seeded. */
#ifndef BSIZE_H
#define BSIZE_H

#include <stdbool.h>
#include <stdint.h>
#include "dir.h"
#include "rng.h"

#define BSSPLIT_MAX 64

struct bssplit_entry {
	uint32_t bytes, percent;
};

/* Per data direction. split_n > 0: bssplit; else lo..hi, where lo == hi is one size. */
struct bsize_cfg {
	uint64_t lo[DIR_DATA], hi[DIR_DATA];
	unsigned split_n[DIR_DATA];
	struct bssplit_entry split[DIR_DATA][BSSPLIT_MAX]; /* percentages resolved, sum 100 */
	bool unaligned; /* any byte length in lo..hi, else multiples of lo and, as in fio, hi itself */
};

/* Smallest and largest size that any of the directions in `dirs` (rw_bits) can draw. */
uint32_t bsize_min(const struct bsize_cfg *c, unsigned dirs);
uint32_t bsize_max(const struct bsize_cfg *c, unsigned dirs);
/* Whether every I/O of these directions has the same size. */
bool bsize_fixed(const struct bsize_cfg *c, unsigned dirs);

/* One of the sizes that directions list. */
struct bsize_share {
	uint32_t bytes, percent; /* percent: summed over the directions that list it */
	unsigned dirs;           /* which these are, rw_bits */
};

/* The distinct sizes that these directions draw, ascending. Returns their number; 0 if one of the directions
   draws from a range, or if there are more than max. */
unsigned bsize_list(const struct bsize_cfg *c, unsigned dirs, struct bsize_share *list, unsigned max);
uint32_t bsize_draw(const struct bsize_cfg *c, enum io_dir dir, struct rng *r);

#endif
