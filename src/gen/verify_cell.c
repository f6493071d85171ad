#include "verify_cell.h"

#include <string.h>

bool verify_cells_known(const struct verify_format *f, uint32_t unit)
{
	const struct verify_cfg *c = f->cfg;

	return f->head && f->head + 2 * sizeof(uint64_t) <= VERIFY_DATA_CELL && !c->pattern && !c->offset &&
	       c->interval % VERIFY_DATA_CELL == 0 && unit % VERIFY_DATA_CELL == 0 &&
	       f->data.random == f->data.chunk;
}

/* Returns whether the bytes of a sector from `at` on are those of the seed, in any sector of a block. */
static bool data_is_of(const struct verify_format *f, const unsigned char *cell, uint32_t at, uint64_t seed)
{
	unsigned char want[VERIFY_DATA_CELL];
	struct verify_data_source s;

	if (!verify_data_source(&f->data, cell + at, VERIFY_DATA_CELL - at, seed, at, &s) || s.seed != seed ||
	    s.cells > UINT32_MAX / VERIFY_DATA_CELL)
		return false;
	verify_data_draw(&f->data, want, VERIFY_DATA_CELL - at, seed, s.cells * VERIFY_DATA_CELL + at);
	return !memcmp(want, cell + at, VERIFY_DATA_CELL - at);
}

bool verify_cell_is_of(const struct verify_format *f, const unsigned char *cell, uint64_t offset,
		       uint64_t seed, uint64_t number)
{
	struct verify_header h;

	if (data_is_of(f, cell, 0, seed))
		return true;
	verify_header_read(&h, cell);
	return h.magic == VERIFY_MAGIC && h.version == VERIFY_VERSION && h.crc == verify_header_crc(cell) &&
	       h.offset == offset && h.number == number && h.seed == seed &&
	       data_is_of(f, cell, f->head, seed);
}

void verify_cell_explain(const struct verify_format *f, const unsigned char *cell, uint64_t pos,
			 uint64_t seed, struct verify_cell_bytes *bytes)
{
	const uint64_t in_part = f->cfg->interval ? pos % f->cfg->interval : pos;
	unsigned char want[VERIFY_DATA_CELL];

	verify_data_draw(&f->data, want, sizeof(want), seed, pos);
	for (uint32_t i = 0; i < VERIFY_DATA_CELL; i++)
		bytes->explained[i] |= want[i] == cell[i] || in_part + i < f->head;
}

bool verify_cell_explained(const struct verify_cell_bytes *bytes)
{
	return !memchr(bytes->explained, false, sizeof(bytes->explained));
}
