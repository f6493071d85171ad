/* seq_wrap.h: sequential I/O that wraps around at the end of the range, and sequential runs between random
   I/Os, as in DISKSPD (t/fault/test_diskspd_order.c tests the rules). Private to gen/.

   The position advances by the block size plus the stride. If the next block would pass the end, it
   continues at the start of the range, or with SEQ_WRAP_TARGET at the first position modulo the step,
   which is near the start of the target rather than at the generator's own start. If generators share a
   position, the offset is the count of all their I/Os modulo the places of the range.

   Runs: a random I/O draws a direction, and the I/Os that follow it have the same one. A run that meets
   the end continues at the start. */
#ifndef SEQ_WRAP_H
#define SEQ_WRAP_H

#include "offset.h"

bool seq_wrap_next(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len);
bool seq_wrap_next_of_run(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len);

#endif
