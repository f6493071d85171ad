/* reuse.h: how many different blocks are accessed between two accesses to the same block: the size of an LRU
   cache that serves the second one. Memory is bounded (about 550 KiB): of REUSE_BLOCKS_MAX blocks or more
   only a sample is followed, chosen by hash, and distances are scaled by its share (SHARDS, FAST 2015). Pure.
 */
#ifndef REUSE_H
#define REUSE_H

#include <stdint.h>
#include "hist.h"

#define REUSE_BLOCKS_MAX 8192u
#define REUSE_SLOTS      (2 * REUSE_BLOCKS_MAX)
#define REUSE_TIMES      (4 * REUSE_BLOCKS_MAX)

struct reuse_block {
	uint64_t hash;
	uint32_t last; /* 1 + the time of the last access; 0: the slot is free */
};

struct reuse {
	struct reuse_block slot[REUSE_SLOTS];        /* a hash table */
	struct reuse_block sorted[REUSE_BLOCKS_MAX]; /* scratch */
	uint32_t blocks, now;
	uint32_t marked[REUSE_TIMES + 1]; /* a Fenwick tree: the times that are the last of a block */
	unsigned halvings;                /* of the share of the blocks that are followed */
	uint64_t accesses, again; /* estimates of the sample for all blocks; again: accesses to a block that
				     was accessed before */
	struct hist distance;     /* blocks, of the accesses again */
	uint64_t longest;
};

/* Takes zeroed memory. */
void reuse_init(struct reuse *r);
/* Adds an access to the block with this hash, which is evenly distributed. */
void reuse_add(struct reuse *r, uint64_t hash);
/* Returns the size in blocks of the LRU cache that serves this percentage of the accesses again. */
uint64_t reuse_percentile(const struct reuse *r, double percent);
/* Returns how many accesses an LRU cache of so many blocks serves, at most 2^40. A bucket of distances counts
   as a whole. */
uint64_t reuse_served(const struct reuse *r, uint64_t blocks);

#endif
