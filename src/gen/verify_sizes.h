/* verify_sizes.h: whether verify blocks of all sizes that a job can write, or read, can be made. Pure. */
#ifndef VERIFY_SIZES_H
#define VERIFY_SIZES_H

#include <stdint.h>
#include "offset.h"
#include "verify_block.h"

/* Returns the directions whose sizes verified blocks can have, rw_bits. */
unsigned verify_sizes_dirs(const struct offset_cfg *o);
/* Returns the largest of these sizes. */
uint32_t verify_sizes_max(const struct offset_cfg *o);
/* Returns a size that can occur and that verify_block_fits() refuses; 0 if there is none. The sizes include
   the rests that random I/O of several sizes leaves. */
uint32_t verify_sizes_misfit(const struct verify_cfg *v, const struct offset_cfg *o);
/* Returns the interval nearest to v->interval with which blocks of all sizes can be made; 0 if it finds
   none. */
uint32_t verify_sizes_interval(const struct verify_cfg *v, const struct offset_cfg *o);

#endif
