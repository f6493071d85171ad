/* seq_wrap.h: I/O in order that goes round for ever, and runs in order between random I/Os, as DISKSPD has
   them (reference diskspd.md 1.5, rules 3, 5, 6 and 8). Private to gen/.

   A walk takes steps of the block plus the stride. When the next block would pass the end it goes on at the
   start of the range, or (SEQ_WRAP_TARGET) at its first place modulo the step: near the start of the target
   and not at its own. Shared by several, the offset is the count of all I/Os modulo the places of the range.

   Runs: an I/O that goes anywhere draws its direction, those that follow it have the same; a run that meets
   the end goes on at the start. */
#ifndef SEQ_WRAP_H
#define SEQ_WRAP_H

#include "offset.h"

bool seq_wrap_next(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len);
bool seq_wrap_next_of_run(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len);

#endif
