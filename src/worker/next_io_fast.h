/* next_io_fast.h: the fast path of next_io, for plain jobs: the same I/Os as next_io_any, in the same order,
   with fewer instructions.

   Between two I/Os of a plain job only counts decide if something else is due (the end of the loop, fsync=N).
   next_io_fast_left therefore computes in advance how many I/Os need no further check; each of them calls
   only the generators. At the end of a file next_io_any takes over, with the direction that was drawn. */
#ifndef NEXT_IO_FAST_H
#define NEXT_IO_FAST_H

#include <stdbool.h>
#include <stdint.h>
#include "next_io.h"

/* Returns true if the job is plain. */
bool next_io_fast_ok(const struct worker *w);
/* Returns true if consecutive I/Os of a plain job differ in offset and direction only. */
bool next_io_fast_uniform(const struct io_source *s);
/* Returns how many I/Os the fast path may take before next_io_any must be called. Only if next_io_fast_ok. */
uint64_t next_io_fast_left(const struct quota *q, const struct sync_count *sync, const struct clone *c);
/* Takes the fast path if it can, and calls next_io_any otherwise. */
enum next_io_result next_io(struct worker *w, struct io *io, uint64_t now);
/* Fills and queues at most n idle I/Os, and no more than fast_left. Returns how many. 0: next_io_any must be
   called. */
unsigned next_io_fast_batch(struct worker *w, unsigned n);

#endif
