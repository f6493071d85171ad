/* verify_pieces.h: checks bytes of a file that were written by blocks of several sizes, so that any of them
   may be pieces of blocks whose other bytes were replaced by later writes; and finds the block that a single
   piece is of. Pure. */
#ifndef VERIFY_PIECES_H
#define VERIFY_PIECES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "verify_check.h"
#include "verify_block.h"

struct verify_pieces {
	uint64_t offset; /* of the bytes in the file; a block can begin there */
	uint32_t bytes;
	uint32_t unit; /* blocks begin and end at multiples of it, from `offset` on */
	uint32_t max;  /* bytes of the largest block */
};

/* Checks the bytes in buf. Each sector must have an intact header for its place or data of one write; the
   data behind a header must be its own, or those of another write. A block that is whole must have the right
   digest. With a pattern, each unit must be a piece of a block. Where neither can be checked, because of the
   format or of the unit, *unchecked becomes all bytes. buf must be writable, as for verify_check(). Returns
   true if all that was checked is intact; otherwise *d describes the first damage. */
bool verify_pieces_check(const struct verify_format *f, const struct verify_pieces *p, unsigned char *buf,
			 struct verify_damage *d, uint64_t *unchecked);

/* What later writes have left of a block whose beginning and size are not known, because
   writes have several sizes or places. */

/* Bytes [offset, offset + bytes) of a file are left of a block. Finds the block: by a header, by the data,
   from which their place in the block can be computed, or by trying all places. One write of at most `max`
   bytes wrote it, and it begins a multiple of `unit` before `offset`. The caller sets the seed of e->write;
   this function sets its offset and size. The size may be too small if later writes have replaced the end of
   the block. Returns where the piece begins in the block. A piece that is damaged beyond recognition counts
   as the beginning of a block. */
uint32_t verify_piece_place(const struct verify_format *f, struct verify_expect *e, void *buf,
			    uint64_t offset, uint32_t bytes, uint32_t unit, uint32_t max);

/* verify_part.c: compares a part of a verify block with the bytes that it should hold, and names its damage.
   Only verify_check.c and verify_pieces.c use it. */

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

/* verify_sector.c: checks a block sector by sector: after a crash it may hold sectors of several writes.
   Pure. */

/* Returns whether the write of each sector can be determined: the data are drawn from a seed, and header and
   digest stand at the beginning of a sector. */
bool verify_sectors_known(const struct verify_format *f, uint32_t unit);
/* Returns whether these VERIFY_SECTOR bytes at `offset` of the file are of the write with this seed and
   number. Its block may begin anywhere; a header must be that of this place. The digest is not checked: it
   covers other sectors, too. */
bool verify_sector_is_of(const struct verify_format *f, const unsigned char *sector, uint64_t offset,
			 uint64_t seed, uint64_t number);

/* Which bytes of a sector are those of some write. */
struct verify_sector_bytes {
	bool explained[VERIFY_SECTOR];
};

/* Marks the bytes of the sector that are those of the write with this seed. pos: where the sector begins in
   the block of that write. Headers and digests count as those of any write. */
void verify_sector_explain(const struct verify_format *f, const unsigned char *sector, uint64_t pos,
			   uint64_t seed, struct verify_sector_bytes *bytes);
bool verify_sector_explained(const struct verify_sector_bytes *bytes);

#endif
