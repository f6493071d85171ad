/* verify_data.h: the data of verify blocks, drawn from the seed in their header. Each fiord draws the same
   data from the same seed, so a checker finds the first wrong byte of a block without a copy of it.

   The data are cells of 512 bytes: fixed random bytes, combined with a mask that says seed and cell. From two
   words of a cell the seed can be computed, so a sector of another write is named. */
#ifndef VERIFY_DATA_H
#define VERIFY_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "content.h"

#define VERIFY_DATA_CELL 512u

struct verify_data {
	unsigned char base[VERIFY_DATA_CELL];
	uint32_t chunk, random; /* of each chunk the first `random` bytes are random, the rest is zero */
};

/* Of cfg only the compression matters, as in fio. unit: the smallest write, in bytes. */
void verify_data_init(struct verify_data *d, const struct buffer_cfg *cfg, uint32_t unit);
/* Fills buf with bytes [pos, pos + bytes) of the block with this seed. */
void verify_data_draw(const struct verify_data *d, void *buf, size_t bytes, uint64_t seed, uint64_t pos);

/* Where bytes come from. */
struct verify_data_source {
	uint64_t seed;
	/* With the seed that the caller gave: how many cells further on in the block they belong, modulo
	 * 2^64. */
	uint64_t cells;
};

/* Says from which seed the bytes at `pos` of a block were drawn. Returns false if they are no drawn data, or
   too few. seed: what the block should have; data of this seed at another place are recognized by it. */
bool verify_data_source(const struct verify_data *d, const void *buf, size_t bytes, uint64_t seed,
			uint64_t pos, struct verify_data_source *source);

#endif
