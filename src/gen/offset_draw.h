/* offset_draw.h: draws of single places and sizes, which all kinds of random I/O share. Private to gen/. */
#ifndef OFFSET_DRAW_H
#define OFFSET_DRAW_H

#include "offset.h"

/* Returns the directions whose offsets are drawn. The write of a trimwrite pair repeats the offset of its
   trim. */
unsigned offset_dirs(const struct offset_cfg *cfg);
/* Returns whether random offsets are not multiples of the block size, because blockalign differs from it. As
   in fio they are then drawn without coverage. */
bool offset_unaligned(const struct offset_gen *g);
/* Returns whether norandommap switches coverage off. As in fio, random_generator=lfsr covers every block
   anyway. */
bool offset_no_coverage(const struct offset_cfg *cfg);
/* Draws a size of at most `room` bytes; room must hold the smallest size. random: an I/O at a random place;
   otherwise one that follows another. */
uint32_t offset_draw_within(struct offset_gen *g, enum io_dir dir, bool random, uint64_t room);
/* Draws a random place of the range, by cfg->dist if there is one. Places may repeat. */
uint64_t offset_draw_place(struct offset_gen *g, enum io_dir dir);
/* Draws the place where a group of I/Os begins. With one block size each block is drawn once before any is
   drawn again. */
uint64_t offset_draw_start(struct offset_gen *g, enum io_dir dir);
/* Sets the range of the generator. A pass over it must then begin. */
void offset_set_range(struct offset_gen *g, uint64_t start, uint64_t len);
/* Begins a pass over the range, in an order that key decides. */
void offset_begin_order(struct offset_gen *g, uint64_t key);
/* Draws an I/O in g->order; *offset is relative to g->start. Returns false when the pass is over. */
bool offset_draw_order(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len);

#endif
