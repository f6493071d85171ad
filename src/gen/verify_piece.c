#include "verify_pieces.h"

static void place(struct verify_expect *e, uint64_t offset, uint32_t bytes, uint32_t from)
{
	e->write.offset = offset - from;
	e->write.bytes = from + bytes;
}

/* Checks the piece as one that begins `from` bytes behind the beginning of its block, and sets the block's
   size. If later writes have replaced the end of the block, its size matters only if it is below
   verify_interval, because the part that is checked then has this size. All sizes from the interval on are
   one case. */
static bool fits_at(const struct verify_format *f, struct verify_expect *e, void *buf, uint64_t offset,
		    uint32_t bytes, uint32_t from, uint32_t unit, uint32_t max)
{
	struct verify_damage d;
	uint64_t unchecked;

	place(e, offset, bytes, from);
	do {
		if (verify_check_range(f, e, buf, from, bytes, &d, &unchecked))
			return true;
		e->write.bytes += unit;
	} while (e->write.bytes - unit < f->cfg->interval && e->write.bytes <= max);
	place(e, offset, bytes, from);
	return false;
}

/* Finds the block by an intact header at the beginning of the piece. The header also has the size of the
   block. Returns false if the piece has none, or if blocks have several headers (verify_interval). */
static bool by_header(const struct verify_format *f, struct verify_expect *e, const unsigned char *buf,
		      uint64_t offset, uint32_t bytes, uint32_t max)
{
	uint32_t at = f->cfg->offset;
	struct verify_header h;

	if (f->cfg->interval || !f->head || at > bytes || bytes - at < VERIFY_HEADER_BYTES)
		return false;
	verify_header_read(&h, buf + at);
	if (h.magic != VERIFY_MAGIC || h.crc != verify_header_crc(buf + at) || h.offset != offset)
		return false;
	place(e, offset, bytes, 0);
	if (h.length > bytes && h.length <= max)
		e->write.bytes = h.length;
	return true;
}

/* Finds the block by its data: their place in the block can be computed from them. Returns false if the data
   are not those of the expected seed. */
static bool by_data(const struct verify_format *f, struct verify_expect *e, void *buf, uint64_t offset,
		    uint32_t bytes, uint32_t unit, uint32_t max)
{
	struct verify_data_source s;
	uint64_t from;

	if (f->cfg->pattern || unit % VERIFY_SECTOR ||
	    !verify_data_source(&f->data, buf, bytes, e->write.seed, 0, &s) || s.seed != e->write.seed)
		return false;
	if (s.sectors > max / VERIFY_SECTOR) /* also if they belong before this place */
		return false;
	from = s.sectors * VERIFY_SECTOR;
	if (from % unit || from + bytes > max)
		return false;
	fits_at(f, e, buf, offset, bytes, (uint32_t)from, unit, max);
	return true;
}

uint32_t verify_piece_place(const struct verify_format *f, struct verify_expect *e, void *buf,
			    uint64_t offset, uint32_t bytes, uint32_t unit, uint32_t max)
{
	if (by_header(f, e, buf, offset, bytes, max))
		return 0;
	if (by_data(f, e, buf, offset, bytes, unit, max))
		return (uint32_t)(offset - e->write.offset);
	for (uint32_t from = 0; from <= offset && from + bytes <= max; from += unit)
		if (fits_at(f, e, buf, offset, bytes, from, unit, max))
			return from;
	place(e, offset, bytes, 0);
	return 0;
}
