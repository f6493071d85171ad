/* verify_pieces.h: checks bytes of a file that were written by blocks of several sizes, so that any of them
   may be pieces of blocks whose other bytes were replaced by later writes; and finds the block that a single
   piece is of. Pure. */
#ifndef VERIFY_PIECES_H
#define VERIFY_PIECES_H

#include <stdbool.h>
#include <stdint.h>
#include "verify_check.h"

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

/* verify_piece.c: what later writes have left of a block whose beginning and size are not known, because
   writes have several sizes or places. */

/* Bytes [offset, offset + bytes) of a file are left of a block. Finds the block: by a header, by the data,
   from which their place in the block can be computed, or by trying all places. One write of at most `max`
   bytes wrote it, and it begins a multiple of `unit` before `offset`. The caller sets the seed of e->write;
   this function sets its offset and size. The size may be too small if later writes have replaced the end of
   the block. Returns where the piece begins in the block. A piece that is damaged beyond recognition counts
   as the beginning of a block. */
uint32_t verify_piece_place(const struct verify_format *f, struct verify_expect *e, void *buf,
			    uint64_t offset, uint32_t bytes, uint32_t unit, uint32_t max);

#endif
