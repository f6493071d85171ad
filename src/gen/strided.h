/* strided.h: zones that take turns (zonemode=strided). Private to gen/.

   The zones begin at the start of the range and are zone.range bytes long, with zone.skip bytes between them.
   A turn lasts until zone.size bytes have been moved, in all directions together; then the next zone has its
   turn, and after the last one the first. As in fio, the last I/O of a turn may move more bytes than that.

   If a turn moves more bytes than its zone holds, it uses the zone again, in a new random order. If the end
   of the range cuts the last zone short, a turn uses the part that is left, at most once; fio ends the job
   there. If this part is too small for an I/O, it has no turn.

   A pass begins at the first zone and ends after as many bytes as the job has for the file. */
#ifndef STRIDED_H
#define STRIDED_H

#include "offset.h"

/* Begins a pass. key: of the random order. */
void strided_begin(struct offset_gen *g, uint64_t key);
/* Draws an I/O; *offset is relative to g->start, the start of its zone. */
bool strided_next(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len);

#endif
