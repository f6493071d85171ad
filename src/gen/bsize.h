/* bsize.h: draws the size of the next I/O. Pure and seeded. */
#ifndef BSIZE_H
#define BSIZE_H

#include <stdbool.h>
#include <stdint.h>
#include "dir.h"
#include "rng.h"

#define BSSPLIT_MAX    64
#define BS_MAX         (1ull << 30)
#define BS_MAX_WHY     "Linux moves less than 2g in one call"
#define BS_RANGE_ERROR "out of range; block sizes are 1 to 1g (" BS_MAX_WHY ")"

struct bssplit_entry {
	uint32_t bytes;
	double percent;
};

/* Sizes per direction, in bytes. split_n > 0: draws from the list split; otherwise from the range lo..hi,
   where lo == hi means one size. */
struct bsize_cfg {
	uint64_t lo[DIR_DATA], hi[DIR_DATA];
	unsigned split_n[DIR_DATA];
	struct bssplit_entry split[DIR_DATA][BSSPLIT_MAX]; /* percentages add up to 100 */
	bool unaligned; /* any length in lo..hi; otherwise multiples of lo and, as in fio, hi itself */
	/* The sizes depend on the order of the I/Os, not on their direction: [BSIZE_SEQUENTIAL] has those of
	   I/Os that follow others, [BSIZE_RANDOM] those of random ones. */
	bool by_order;
};

enum { BSIZE_SEQUENTIAL = DIR_READ, BSIZE_RANDOM = DIR_WRITE };

/* Returns the entry of the sizes that the I/Os of this direction use. random: for I/Os that go to random
   places; otherwise for those that follow others. */
static inline unsigned bsize_entry(const struct bsize_cfg *c, bool random, unsigned dir)
{
	return !c->by_order ? dir : random ? BSIZE_RANDOM : BSIZE_SEQUENTIAL;
}

/* Returns all entries that the I/Os of these directions use, as bits. */
static inline unsigned bsize_entries(const struct bsize_cfg *c, unsigned dirs)
{
	return c->by_order && dirs ? 1u << BSIZE_SEQUENTIAL | 1u << BSIZE_RANDOM : dirs;
}

/* Return the smallest and the largest size that the directions `dirs` (rw_bits) can draw. */
uint32_t bsize_min(const struct bsize_cfg *c, unsigned dirs);
uint32_t bsize_max(const struct bsize_cfg *c, unsigned dirs);
/* Returns the smallest size of one entry. */
uint32_t bsize_entry_min(const struct bsize_cfg *c, unsigned entry);
/* Returns the only size of one entry; 0 if it has several. */
uint32_t bsize_entry_fixed(const struct bsize_cfg *c, unsigned entry);
/* Returns how many bytes a range needs so that it holds I/Os of every order; with sizes by direction, one of
   any direction. */
uint32_t bsize_least_range(const struct bsize_cfg *c, unsigned dirs);
/* Returns the largest number of bytes that divides every size of these directions. */
uint32_t bsize_divisor(const struct bsize_cfg *c, unsigned dirs);
/* Returns whether every I/O of these directions has the same size. */
bool bsize_fixed(const struct bsize_cfg *c, unsigned dirs);

/* One size that some directions list. */
struct bsize_share {
	uint32_t bytes;
	double percent; /* summed over these directions */
	unsigned dirs;  /* the entries that list it; without by_order these are the directions */
};

/* Lists the distinct sizes of these directions in ascending order. Returns their number; 0 if a direction
   draws from a range or if the list has more than max sizes. */
unsigned bsize_list(const struct bsize_cfg *c, unsigned dirs, struct bsize_share *list, unsigned max);
/* Draws a size. entry: see bsize_entry. */
uint32_t bsize_draw(const struct bsize_cfg *c, unsigned entry, struct rng *r);

#endif
