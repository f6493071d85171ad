#include "verify_pieces.h"

#include <string.h>

/* A piece of a pattern is searched at this many places of its block at most, because each takes time. */
#define PLACES_MAX 64u

/* The write to which the last sector belongs. */
struct origin {
	uint64_t seed; /* of the write; without its header, a seed that draws the same data from `start` on */
	uint64_t start; /* where these data begin in the file */
	bool known;
};

/* ---- sectors ---- */

/* Returns whether the sector has data of some write from byte `from` on. They must continue the data of *w if
   they are of that write; then *w is their write. */
static bool take_data(const struct verify_format *f, const unsigned char *sector, uint32_t from,
		      uint64_t offset, struct origin *w)
{
	const uint32_t bytes = VERIFY_SECTOR - from;
	unsigned char want[VERIFY_SECTOR];
	struct verify_data_source s;

	if (!verify_data_source(&f->data, sector + from, bytes, w->seed, from, &s))
		return false;
	verify_data_draw(&f->data, want, bytes, s.seed, s.sectors * VERIFY_SECTOR + from);
	if (memcmp(want, sector + from, bytes))
		return false;
	offset -= s.sectors * VERIFY_SECTOR;
	if (w->known && s.seed == w->seed && offset != w->start)
		return false;
	*w = (struct origin){ s.seed, offset, true };
	return true;
}

/* Returns whether a block with this header begins the bytes and is whole: no later write has replaced a
   sector. */
static bool is_whole(const struct verify_format *f, const unsigned char *buf, uint32_t bytes,
		     const struct verify_header *h)
{
	struct origin w = { .seed = h->seed, .start = h->offset, .known = true };

	if (f->cfg->interval || h->length > bytes || h->length % VERIFY_SECTOR)
		return false;
	for (uint32_t at = VERIFY_SECTOR; at < h->length; at += VERIFY_SECTOR)
		if (!take_data(f, buf + at, 0, h->offset + at, &w) || w.seed != h->seed)
			return false;
	return true;
}

/* Returns whether the bytes begin with an intact header for this place and with its data; then *w is its
   write. If its block is whole, its digest must be right; otherwise *d describes the damage. */
static bool take_header(const struct verify_format *f, unsigned char *buf, uint32_t bytes, uint64_t offset,
			struct origin *w, struct verify_damage *d)
{
	struct verify_expect e = { .seed = true, .seed_data = true };
	struct verify_header h;
	struct origin own = { 0 };

	verify_header_read(&h, buf);
	own.seed = h.seed;
	if (!part_is_header(buf) || h.version != VERIFY_VERSION ||
	    h.type != verify_kinds[f->cfg->kind].type || h.offset != offset ||
	    !take_data(f, buf, f->head, offset, &own) || own.seed != h.seed ||
	    (!f->cfg->interval && own.start != offset))
		return false;
	*w = own;
	e.write = (struct verify_write){
		.offset = offset, .bytes = h.length, .seed = h.seed, .number = h.number
	};
	return !is_whole(f, buf, bytes, &h) || verify_check(f, &e, buf, d);
}

/* ---- the names of damage ---- */

static void set_damage(struct verify_damage *d, enum verify_damage_kind kind, uint64_t offset, uint32_t bytes,
		       uint64_t expected, uint64_t found)
{
	*d = (struct verify_damage){ .kind = kind,
				     .offset = offset,
				     .bytes = bytes,
				     .expected = expected,
				     .found = found,
				     .parts = 1 };
}

/* Describes the bytes of a sector that differ from those that were drawn. Returns false if none differs. */
static bool name_difference(const unsigned char *want, const unsigned char *sector, uint64_t offset,
			    struct verify_damage *d)
{
	uint32_t from = 0, to = VERIFY_SECTOR;

	while (from < to && want[from] == sector[from])
		from++;
	while (to > from && want[to - 1] == sector[to - 1])
		to--;
	if (from < to)
		set_damage(d, part_all_zero(sector + from, to - from) ? DAMAGE_ZEROED : DAMAGE_DATA,
			   offset + from, to - from, want[from], sector[from]);
	return from < to;
}

/* Describes the damage of a sector that has neither an intact header for this place nor data of one write. */
static void name_damage(const struct verify_format *f, const unsigned char *sector, uint64_t offset,
			const struct origin *w, struct verify_damage *d)
{
	unsigned char want[VERIFY_SECTOR];
	struct verify_data_source s;
	struct verify_header h;

	verify_header_read(&h, sector);
	if (part_all_zero(sector, VERIFY_SECTOR)) {
		set_damage(d, DAMAGE_ZEROED, offset, VERIFY_SECTOR, 0, 0);
	} else if (part_is_header(sector) && h.offset != offset) {
		set_damage(d, DAMAGE_MISPLACED, offset, VERIFY_SECTOR, offset, h.offset);
	} else if (h.magic == VERIFY_MAGIC && !part_is_header(sector)) {
		set_damage(d, DAMAGE_HEADER_CRC, offset, VERIFY_HEADER_BYTES, verify_header_crc(sector),
			   h.crc);
	} else if (verify_data_source(&f->data, sector, VERIFY_SECTOR, w->seed, 0, &s)) {
		verify_data_draw(&f->data, want, sizeof(want), s.seed, s.sectors * VERIFY_SECTOR);
		if (!name_difference(want, sector, offset, d))
			set_damage(d, DAMAGE_SHIFTED, offset, VERIFY_SECTOR, offset,
				   w->start + s.sectors * VERIFY_SECTOR);
	} else {
		set_damage(d, DAMAGE_NO_HEADER, offset, VERIFY_SECTOR, VERIFY_MAGIC, h.magic);
	}
}

/* ---- */

static bool check_sectors(const struct verify_format *f, const struct verify_pieces *p, unsigned char *buf,
			  struct verify_damage *d, uint64_t *unchecked)
{
	uint32_t at = 0;
	struct origin w = { 0 };

	for (; p->bytes - at >= VERIFY_SECTOR; at += VERIFY_SECTOR) {
		const uint64_t offset = p->offset + at;

		if (take_header(f, buf + at, p->bytes - at, offset, &w, d))
			continue;
		if (!d->kind && !take_data(f, buf + at, 0, offset, &w))
			name_damage(f, buf + at, offset, &w, d);
		if (d->kind)
			return false;
	}
	*unchecked = p->bytes - at;
	return true;
}

static bool check_units(const struct verify_format *f, const struct verify_pieces *p, unsigned char *buf,
			struct verify_damage *d, uint64_t *unchecked)
{
	for (uint32_t at = 0, n; at < p->bytes; at += n) {
		struct verify_expect e = { .seed_data = true };
		uint32_t from;

		n = p->bytes - at < p->unit ? p->bytes - at : p->unit;
		from = verify_piece_place(f, &e, buf + at, p->offset + at, n, p->unit, p->max);
		if (!verify_check_range(f, &e, buf + at, from, n, d, unchecked))
			return false;
	}
	return true;
}

bool verify_pieces_check(const struct verify_format *f, const struct verify_pieces *p, unsigned char *buf,
			 struct verify_damage *d, uint64_t *unchecked)
{
	*d = (struct verify_damage){ 0 };
	*unchecked = 0;
	if (verify_sectors_known(f, p->unit))
		return check_sectors(f, p, buf, d, unchecked);
	if (f->cfg->pattern && p->max / p->unit <= PLACES_MAX)
		return check_units(f, p, buf, d, unchecked);
	*unchecked = p->bytes;
	return true;
}

/* ---- verify piece ---- */

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
