/* verify_part.h: compares a part of a verify block with the bytes that it should hold, and names its damage.
   Only verify_check.c and verify_pieces.c use it. */
#ifndef VERIFY_PART_H
#define VERIFY_PART_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "verify_check.h"

/* A part of a block that is being checked, or a piece of it. */
struct verify_part {
	const struct verify_format *f;
	const struct verify_expect *e;
	uint32_t bytes, at;  /* length; position in the block */
	uint32_t from, to;   /* the bytes of it that were read */
	unsigned char *data; /* these bytes, in the order of the disk */
};

static inline unsigned char *part_byte(const struct verify_part *p, uint32_t at)
{
	return p->data + (at - p->from);
}

static inline uint64_t part_seed(const struct verify_part *p)
{
	return p->f->cfg->pattern ? 0 : p->e->write.seed;
}

static inline uint64_t part_offset(const struct verify_part *p)
{
	return p->e->write.offset + p->at;
}

static inline const unsigned char *part_header(const struct verify_part *p)
{
	return part_byte(p, p->f->cfg->offset);
}

static inline bool part_is_header(const unsigned char *at)
{
	struct verify_header h;

	verify_header_read(&h, at);
	return h.magic == VERIFY_MAGIC && h.crc == verify_header_crc(at);
}

/* Describes damage of all bytes that were read of the part. Returns false, as the result of the check. */
static inline bool part_damaged(const struct verify_part *p, struct verify_damage *d,
				enum verify_damage_kind kind, uint64_t expected, uint64_t found)
{
	d->kind = kind;
	d->offset = part_offset(p) + p->from;
	d->bytes = p->to - p->from;
	d->expected = expected;
	d->found = found;
	return false;
}

static inline void part_set_range(const struct verify_part *p, struct verify_damage *d, uint32_t from,
				  uint32_t to)
{
	d->offset = part_offset(p) + from;
	d->bytes = to - from;
}

static inline bool part_all_zero(const unsigned char *p, size_t bytes)
{
	return !bytes || (!p[0] && !memcmp(p, p + 1, bytes - 1));
}

/* The bytes of a part that differ from the data of a seed. Places are those on the disk. */
struct part_difference {
	uint32_t from, to, count, compared; /* [from, to) has all of them; to 0: none differs */
	uint8_t expected, found;            /* the first one */
	bool zero;                          /* all bytes from the first to the last are zero */
};

/* Compares the data that were read, without header and digest, with those of the seed or of the pattern. */
void part_compare(const struct verify_part *p, uint64_t seed, struct part_difference *x);

/* Name the damage of a part, and return false, as the result of its check: */

/* The place of the header has no intact header. *h has the fields that were read there. */
bool part_name_header(const struct verify_part *p, struct verify_header *h, struct verify_damage *d);
/* The data differ from those of `seed`. */
bool part_name_difference(const struct verify_part *p, const struct part_difference *x, uint64_t seed,
			  struct verify_damage *d);

#endif
