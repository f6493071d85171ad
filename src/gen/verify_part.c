#include "verify_pieces.h"

#include <endian.h>
#include "crc.h"

/* Fewer zero bytes in a row than this may be data. */
#define ZEROES_MIN 16u

/* Headers of fio 3.33 and older have 40 bytes, and a type below 32. */
#define OLD_HEADER_BYTES 40u
#define OLD_TYPE_END     32u

/* ---- data ---- */

/* Returns the place on the disk of byte `at` of a part whose header stands at its beginning. The same
   function turns a place on the disk into such a byte. */
static uint32_t exchanged(const struct verify_format *f, uint32_t at)
{
	uint32_t offset = f->cfg->offset;

	if (!offset || !f->head)
		return at;
	if (at < f->head)
		return at + offset;
	return at >= offset && at - offset < f->head ? at - offset : at;
}

static void add_difference(struct part_difference *x, uint32_t at, uint8_t expected, uint8_t found)
{
	if (!x->count || at < x->from) {
		x->from = at;
		x->expected = expected;
		x->found = found;
	}
	if (at >= x->to)
		x->to = at + 1;
	x->count++;
}

void part_compare(const struct verify_part *p, uint64_t seed, struct part_difference *x)
{
	struct verify_write w = p->e->write;
	unsigned char want[512];

	*x = (struct part_difference){ 0 };
	w.seed = seed;
	for (uint32_t at = p->f->head; at < p->bytes; at += sizeof(want)) {
		uint32_t n = p->bytes - at < sizeof(want) ? p->bytes - at : sizeof(want);

		verify_block_fill(p->f, &w, want, n, p->at + at);
		for (uint32_t i = 0; i < n; i++) {
			uint32_t raw = exchanged(p->f, at + i);

			if (raw < p->from || raw >= p->to)
				continue;
			x->compared++;
			if (*part_byte(p, raw) != want[i])
				add_difference(x, raw, want[i], *part_byte(p, raw));
		}
	}
	x->zero = x->count && part_all_zero(part_byte(p, x->from), x->to - x->from);
}

/* Finds the write from which the wrong bytes [from, to) come. Bytes of header and digest are not used.
   Returns false if the write is not found. */
static bool find_source(const struct verify_part *p, uint32_t from, uint32_t to, struct verify_data_source *s)
{
	const uint32_t head = p->f->head, offset = p->f->cfg->offset;
	uint32_t first = from > head ? from : head, behind = offset + head;
	uint32_t end = offset && to > offset ? offset : to;

	if (p->f->cfg->pattern)
		return false;
	if (first < end &&
	    verify_data_source(&p->f->data, part_byte(p, first), end - first, part_seed(p), p->at + first, s))
		return true;
	first = from > behind ? from : behind;
	return offset && first < to &&
	       verify_data_source(&p->f->data, part_byte(p, first), to - first, part_seed(p), p->at + first,
				  s);
}

bool part_name_difference(const struct verify_part *p, const struct part_difference *x, uint64_t seed,
			  struct verify_damage *d)
{
	struct verify_data_source s;
	bool other = find_source(p, x->from, x->to, &s) && (s.seed != seed || s.sectors);

	if (x->zero && x->to - x->from >= ZEROES_MIN)
		part_damaged(p, d, DAMAGE_ZEROED, 0, 0);
	else if (other && s.seed == seed)
		part_damaged(p, d, DAMAGE_SHIFTED, part_offset(p) + x->from,
			     part_offset(p) + x->from + s.sectors * VERIFY_SECTOR);
	else if (other)
		part_damaged(p, d, DAMAGE_TORN, seed, s.seed);
	else
		part_damaged(p, d, p->f->cfg->pattern ? DAMAGE_PATTERN : DAMAGE_DATA, x->expected, x->found);
	part_set_range(p, d, x->from, x->to);
	return false;
}

/* ---- headers ---- */

/* The header of fio 3.33: a type of 16 bits in place of version and type, 40 bytes, the CRC at their end. */
static bool is_old_header(const unsigned char *at, struct verify_header *h)
{
	uint16_t type;
	uint32_t crc;

	memcpy(&type, at + 2, sizeof(type));
	memcpy(&crc, at + OLD_HEADER_BYTES - 4, sizeof(crc));
	if (h->magic != VERIFY_MAGIC || le16toh(type) >= OLD_TYPE_END ||
	    le32toh(crc) != crc_castagnoli(at, OLD_HEADER_BYTES - 4))
		return false;
	h->type = (uint8_t)le16toh(type);
	return true;
}

/* Looks for an intact header at a wrong byte of the part. Returns whether it has found and described one. */
static bool find_shifted_header(const struct verify_part *p, struct verify_damage *d)
{
	for (uint32_t at = p->from; at + VERIFY_HEADER_BYTES <= p->to; at++) {
		struct verify_header h;
		uint64_t belongs;

		if (!part_is_header(part_byte(p, at)))
			continue;
		verify_header_read(&h, part_byte(p, at));
		belongs = h.offset + p->f->cfg->offset;
		if (belongs == part_offset(p) + at)
			continue; /* an older and smaller block */
		part_damaged(p, d, DAMAGE_SHIFTED, part_offset(p) + at, belongs);
		d->header = h;
		d->has_header = true;
		return true;
	}
	return false;
}

/* Returns whether the part begins with data of this write that belong elsewhere; then it describes them. */
static bool find_shifted_data(const struct verify_part *p, struct verify_damage *d)
{
	struct verify_data_source s;

	if (p->f->cfg->pattern || p->f->cfg->offset || !p->e->seed ||
	    !verify_data_source(&p->f->data, p->data, p->bytes, part_seed(p), p->at, &s) || !s.sectors ||
	    s.seed != part_seed(p))
		return false;
	part_damaged(p, d, DAMAGE_SHIFTED, part_offset(p), part_offset(p) + s.sectors * VERIFY_SECTOR);
	return true;
}

/* Describes the zero bytes around byte `at`. */
static void zeroed_around(const struct verify_part *p, struct verify_damage *d, uint32_t at)
{
	uint32_t from = at, to = at;

	while (from > p->from && !*part_byte(p, from - 1))
		from--;
	while (to < p->to && !*part_byte(p, to))
		to++;
	part_damaged(p, d, DAMAGE_ZEROED, 0, 0);
	part_set_range(p, d, from, to);
}

bool part_name_header(const struct verify_part *p, struct verify_header *h, struct verify_damage *d)
{
	const unsigned char *at = part_header(p);
	uint32_t offset = p->f->cfg->offset;
	bool whole = p->to - p->from == p->bytes;

	if (is_old_header(at, h))
		return part_damaged(p, d, DAMAGE_OLD_FIO, verify_kinds[p->f->cfg->kind].type, h->type);
	if (find_shifted_header(p, d))
		return false;
	if (part_all_zero(at, VERIFY_HEADER_BYTES)) {
		zeroed_around(p, d, offset);
		return false;
	}
	if (h->magic == VERIFY_MAGIC)
		part_damaged(p, d, DAMAGE_HEADER_CRC, verify_header_crc(at), h->crc);
	else if (whole && find_shifted_data(p, d))
		return false;
	else
		part_damaged(p, d, DAMAGE_NO_HEADER, VERIFY_MAGIC, h->magic);
	part_set_range(p, d, offset, offset + VERIFY_HEADER_BYTES);
	return false;
}
