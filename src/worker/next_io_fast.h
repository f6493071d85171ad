/* next_io_fast.h: the fast path of next_io: the same I/Os as next_io_any, in the same order, with fewer
   instructions. */
#ifndef NEXT_IO_FAST_H
#define NEXT_IO_FAST_H

#include <stdbool.h>
#include <stdint.h>
#include "next_io.h"

bool next_io_fast_ok(const struct worker *w);
bool next_io_fast_row_ok(const struct worker *w);
/* Returns how many I/Os the fast path may take before next_io_any must be called. Only if next_io_fast_ok. */
uint64_t next_io_fast_left(const struct worker *w);
/* Takes the fast path if it can, and calls next_io_any otherwise. */
enum next_io_result next_io(struct worker *w, struct io *io, uint64_t now);
/* Fills and queues at most n idle I/Os, and no more than fast_left. Returns how many. 0: next_io_any must be
   called. */
unsigned next_io_fast_batch(struct worker *w, unsigned n);

#endif
