/* verify_data.h: the data of verify blocks, drawn from the seed in their header. Each fiord draws the same
   data from the same seed, so a checker finds the first wrong byte of a block without a copy of it.

   The data are sectors of 512 bytes. All sectors are the same random bytes, each combined with a mask that
   follows from the seed and from the sector's place in the block. From two words of a sector its seed can be
   computed, so that a message can name the write from which a wrong sector came. */
#ifndef VERIFY_DATA_H
#define VERIFY_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "content.h"

#define VERIFY_SECTOR 512u

struct verify_data {
	unsigned char base[VERIFY_SECTOR];
	uint32_t chunk, random; /* of each chunk the first `random` bytes are random, the rest is zero */
};

/* Initialises d. Of cfg only the compression matters, as in fio. unit: the size of the smallest write, in
   bytes. */
void verify_data_init(struct verify_data *d, const struct buffer_cfg *cfg, uint32_t unit);
/* Fills buf with bytes [pos, pos + bytes) of the block with this seed. */
void verify_data_draw(const struct verify_data *d, void *buf, size_t bytes, uint64_t seed, uint64_t pos);

/* The origin of bytes that were found in a block. */
struct verify_data_source {
	uint64_t seed;
	/* If this is the caller's seed: how many sectors further on in the block the bytes belong. Modulo
	 * 2^64, because they may belong further to the front. 0 with other seeds. */
	uint64_t sectors;
};

/* Finds out from which seed the bytes at `pos` of a block were drawn. Returns false if they are no drawn
   data, or too few. seed: that of the data that belong there; only data of this seed are recognized at a
   wrong place. */
bool verify_data_source(const struct verify_data *d, const void *buf, size_t bytes, uint64_t seed,
			uint64_t pos, struct verify_data_source *source);

#endif
