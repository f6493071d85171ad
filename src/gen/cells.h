/* cells.h: random offsets with coverage where sizes differ: cells in a permuted order, cut into pieces. What
   offset.h says of OFFSET_CELLS and OFFSET_LISTED. Private to gen/. */
#ifndef CELLS_H
#define CELLS_H

#include "offset.h"

/* kind says which of the two. Returns how many cells the permutation runs over. */
uint64_t cells_init(struct offset_gen *g);
/* A pass begins: the permutation has been restarted. */
void cells_begin(struct offset_gen *g);
/* False when the pass is over. *offset is relative to the range's start. */
bool cells_next(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len);

#endif
