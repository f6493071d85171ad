/* verify_piece.h: what later writes have left of a block whose beginning and size are not known, because
   writes have several sizes or places. Pure. */
#ifndef VERIFY_PIECE_H
#define VERIFY_PIECE_H

#include <stdint.h>
#include "verify_check.h"

/* Bytes [offset, offset + bytes) of a file are left of a block. Finds the block: by a header, by the data,
   from which their place in the block can be computed, or by trying all places. One write of at most `max`
   bytes wrote it, and it begins a multiple of `unit` before `offset`. The caller sets the seed of e->write;
   this function sets its offset and size. The size may be too small if later writes have replaced the end of
   the block. Returns where the piece begins in the block. A piece that is damaged beyond recognition counts
   as the beginning of a block. */
uint32_t verify_piece_place(const struct verify_format *f, struct verify_expect *e, void *buf,
			    uint64_t offset, uint32_t bytes, uint32_t unit, uint32_t max);

#endif
