#include "verify_pieces.h"

#include <string.h>

bool verify_sectors_known(const struct verify_format *f, uint32_t unit)
{
	const struct verify_cfg *c = f->cfg;

	return f->head && f->head + 2 * sizeof(uint64_t) <= VERIFY_SECTOR && !c->pattern && !c->offset &&
	       c->interval % VERIFY_SECTOR == 0 && unit % VERIFY_SECTOR == 0 &&
	       f->data.random == f->data.chunk;
}

/* Returns whether the bytes of a sector from `at` on are those of the seed, in any sector of a block. */
static bool data_is_of(const struct verify_format *f, const unsigned char *sector, uint32_t at, uint64_t seed)
{
	unsigned char want[VERIFY_SECTOR];
	struct verify_data_source s;

	if (!verify_data_source(&f->data, sector + at, VERIFY_SECTOR - at, seed, at, &s) || s.seed != seed ||
	    s.sectors > UINT32_MAX / VERIFY_SECTOR)
		return false;
	verify_data_draw(&f->data, want, VERIFY_SECTOR - at, seed, s.sectors * VERIFY_SECTOR + at);
	return !memcmp(want, sector + at, VERIFY_SECTOR - at);
}

bool verify_sector_is_of(const struct verify_format *f, const unsigned char *sector, uint64_t offset,
			 uint64_t seed, uint64_t number)
{
	struct verify_header h;

	if (data_is_of(f, sector, 0, seed))
		return true;
	verify_header_read(&h, sector);
	return h.magic == VERIFY_MAGIC && h.version == VERIFY_VERSION && h.crc == verify_header_crc(sector) &&
	       h.offset == offset && h.number == number && h.seed == seed &&
	       data_is_of(f, sector, f->head, seed);
}

void verify_sector_explain(const struct verify_format *f, const unsigned char *sector, uint64_t pos,
			   uint64_t seed, struct verify_sector_bytes *bytes)
{
	const uint64_t in_part = f->cfg->interval ? pos % f->cfg->interval : pos;
	unsigned char want[VERIFY_SECTOR];

	verify_data_draw(&f->data, want, sizeof(want), seed, pos);
	for (uint32_t i = 0; i < VERIFY_SECTOR; i++)
		bytes->explained[i] |= want[i] == sector[i] || in_part + i < f->head;
}

bool verify_sector_explained(const struct verify_sector_bytes *bytes)
{
	return !memchr(bytes->explained, false, sizeof(bytes->explained));
}
