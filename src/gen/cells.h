/* cells.h: random offsets with coverage and different sizes: cells in a permuted order, cut into pieces
   (OFFSET_CELLS and OFFSET_LISTED of offset.h). Private to gen/. */
#ifndef CELLS_H
#define CELLS_H

#include "offset.h"

/* Sets up the cells for g->order. Returns the number of cells in the permutation. */
uint64_t cells_init(struct offset_gen *g);
/* Begins a pass; the caller has restarted the permutation. */
void cells_begin(struct offset_gen *g);
/* Draws a piece. Returns false when the pass is complete. *offset is relative to the range's start. */
bool cells_next(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len);

#endif
