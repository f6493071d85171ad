/* verify_piece.h: what later writes have left of a block whose beginning and size are not known, because
   writes have several sizes or places. Pure. */
#ifndef VERIFY_PIECE_H
#define VERIFY_PIECE_H

#include <stdint.h>
#include "verify_check.h"

/* Bytes [offset, offset + bytes) of a file were last written by one write, of at most `max` bytes, at a
   distance from `offset` that is a multiple of `unit`. Finds where its block begins: by a header, by the
   data, which say their place, or by trying all places. Sets offset and bytes of e->write, whose seed is
   known; bytes may be less than those of the write if only later writes could tell. Returns where the piece
   begins in the block. If the piece is damaged beyond recognition it counts as the beginning of a block. */
uint32_t verify_piece_place(const struct verify_format *f, struct verify_expect *e, void *buf,
			    uint64_t offset, uint32_t bytes, uint32_t unit, uint32_t max);

#endif
