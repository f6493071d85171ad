#include "verify_block.h"

#include <endian.h>
#include <string.h>
#include "content_mask.h"
#include "rng.h"

/* Data of the right seed are recognized at up to this many sectors from their place: 1 GiB. */
#define FAR_SECTORS (1u << 21)

/* ---- masks ---- */

/* ---- */

void verify_data_init(struct verify_data *d, const struct buffer_cfg *cfg, uint32_t unit)
{
	content_pool_random(d->base, sizeof(d->base), 0);
	d->chunk = cfg->compress && cfg->compress_chunk && cfg->compress_chunk < unit
			   ? (uint32_t)cfg->compress_chunk
			   : unit;
	d->random = content_random_part(cfg, d->chunk);
}

static void draw_random(const struct verify_data *d, unsigned char *buf, size_t bytes, uint64_t seed,
			uint64_t pos)
{
	while (bytes) {
		size_t at = pos % VERIFY_SECTOR, n = VERIFY_SECTOR - at;
		uint64_t mask = rng_mix64(rng_mix64(seed) + pos / VERIFY_SECTOR);

		n = n < bytes ? n : bytes;
		if (at % 8)
			mask = mask >> at % 8 * 8 | mask << (64 - at % 8 * 8);
		content_mask(buf, d->base + at, n, mask);
		buf += n;
		pos += n;
		bytes -= n;
	}
}

void verify_data_draw(const struct verify_data *d, void *buf, size_t bytes, uint64_t seed, uint64_t pos)
{
	unsigned char *to = buf;

	if (d->random == d->chunk) {
		draw_random(d, to, bytes, seed, pos);
		return;
	}
	while (bytes) {
		size_t at = pos % d->chunk, n = at < d->random ? d->random - at : d->chunk - at;

		n = n < bytes ? n : bytes;
		if (at < d->random)
			draw_random(d, to, n, seed, pos);
		else
			memset(to, 0, n);
		to += n;
		pos += n;
		bytes -= n;
	}
}

/* ---- */

/* Returns whether all of these bytes are random, and none is zero for the compression. */
static bool random_at(const struct verify_data *d, uint64_t pos, size_t bytes)
{
	return pos % d->chunk + bytes <= d->random;
}

/* Returns the mask of the word at `pos`, which is a multiple of 8. */
static uint64_t mask_at(const struct verify_data *d, const unsigned char *word, uint64_t pos)
{
	uint64_t w, base;

	memcpy(&w, word, 8);
	memcpy(&base, d->base + pos % VERIFY_SECTOR, 8);
	return le64toh(w ^ base);
}

/* Finds two words in a row with the same mask, and sets *pos to the place of the first. Other data have such
   words once in 2^64 pairs. Returns false if there are none. */
static bool find_mask(const struct verify_data *d, const unsigned char *p, size_t bytes, uint64_t *pos,
		      uint64_t *mask)
{
	uint64_t skip = -*pos % 8;

	for (uint64_t at = skip; at + 16 <= bytes; at += 8) {
		uint64_t here = *pos + at;

		if (here % VERIFY_SECTOR + 16 > VERIFY_SECTOR || !random_at(d, here, 16))
			continue;
		*mask = mask_at(d, p + at, here);
		if (*mask == mask_at(d, p + at + 8, here + 8)) {
			*pos = here;
			return true;
		}
	}
	return false;
}

bool verify_data_source(const struct verify_data *d, const void *buf, size_t bytes, uint64_t seed,
			uint64_t pos, struct verify_data_source *source)
{
	uint64_t mask, sum, sectors;

	if (!find_mask(d, buf, bytes, &pos, &mask))
		return false;
	sum = rng_unmix64(mask) - pos / VERIFY_SECTOR;
	sectors = sum - rng_mix64(seed);
	if (sectors + FAR_SECTORS < 2 * FAR_SECTORS)
		*source = (struct verify_data_source){ .seed = seed, .sectors = sectors };
	else
		*source = (struct verify_data_source){ .seed = rng_unmix64(sum) };
	return true;
}
