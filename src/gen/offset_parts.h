/* offset_parts.h: the orders of offsets that have files of their own, and the draws that they share. Private
   to src/gen. */
#ifndef OFFSET_PARTS_H
#define OFFSET_PARTS_H

#include "offset.h"
#include "zbd.h"

/* offset_draw.c: draws of single places and sizes, which all kinds of random I/O share. */

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

/* extents.c: random offsets with coverage and different sizes: extents in a permuted order, cut into pieces
   (OFFSET_EXTENTS and OFFSET_LISTED of offset.h). */

/* Sets up the extents for g->order. Returns the number of extents in the permutation. */
uint64_t extents_init(struct offset_gen *g);
/* Begins a pass; the caller has restarted the permutation. */
void extents_begin(struct offset_gen *g);
/* Draws a piece. Returns false when the pass is complete. *offset is relative to the range's start. */
bool extents_next(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len);

/* seq_wrap.c: sequential I/O that wraps around at the end of the range, and sequential runs between random
   I/Os, as in DISKSPD (t/fault/test_diskspd_order.c tests the rules).

   The position advances by the block size plus the stride. If the next block would pass the end, it
   continues at the start of the range, or with SEQ_WRAP_TARGET at the first position modulo the step,
   which is near the start of the target rather than at the generator's own start. If generators share a
   position, the offset is the count of all their I/Os modulo the places of the range.

   Runs: a random I/O draws a direction, and the I/Os that follow it have the same one. A run that meets
   the end continues at the start. */

bool seq_wrap_next(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len);
bool seq_wrap_next_of_run(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len);

/* strided.c: zones that take turns (zonemode=strided).

   The zones begin at the start of the range and are zone.range bytes long, with zone.skip bytes between them.
   A turn lasts until zone.size bytes have been moved, in all directions together; then the next zone has its
   turn, and after the last one the first. As in fio, the last I/O of a turn may move more bytes than that.

   If a turn moves more bytes than its zone holds, it uses the zone again, in a new random order. If the end
   of the range cuts the last zone short, a turn uses the part that is left, at most once; fio ends the job
   there. If this part is too small for an I/O, it has no turn.

   A pass begins at the first zone and ends after as many bytes as the job has for the file. */

/* Begins a pass. key: of the random order. */
void strided_begin(struct offset_gen *g, uint64_t key);
/* Draws an I/O; *offset is relative to g->start, the start of its zone. */
bool strided_next(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len);

/* zbd.c: zones with write pointers (zonemode=zbd): see zbd.h and zone_table.h.

   The range consists of whole zones. The order of the generator only chooses zones: a random write goes to
   the write pointer of the zone in which its place lies. Sequential writes fill zone after zone, with
   zone.skip bytes between them, and go on with the first after the last. A write to a full zone resets it, so
   that it begins at the start of the zone again. Conventional zones are written where the order says.

   While the limit of open zones is reached, a write that would open another zone goes to one of the open
   zones. Once more than zone.reset_threshold of all bytes are written, each write adds zone.reset_frequency
   to a sum. The write with which the sum reaches 1 resets its zone, and the sum falls by 1.

   Reads stay below the write pointers unless zone.read_beyond_wp is set: a random place beyond one moves into
   the data of its zone, or of the next zone that has any. Sequential reads leave out what is beyond, and
   zone.skip bytes, as sequential writes do. A trim resets the zone in which its place lies, or the next one
   that is not empty. */

struct zbd {
	const struct zone_use *use;
	uint64_t first, zones;      /* of the range, in the table */
	uint64_t cursor;            /* the zone that sequential writes fill, from 0 */
	uint64_t cursor_at;         /* bytes into it, where the next write goes if it is conventional */
	bool cursor_used;           /* sequential writes have begun to fill it */
	bool wrapped;               /* sequential reads went on at the start of the range */
	uint64_t written, writable; /* bytes of the range, as of the last count and by this worker since */
	uint64_t count_after;       /* zone_reset_frequency: writes until they are counted again */
	uint64_t reset_sum;         /* in millionths */
	uint32_t turns;             /* how often another worker owned the zone */
	uint64_t pass_bytes, pass_left;
	enum zbd_stop stop;
	struct zone *row_zone; /* the zone of the present row; NULL: none */
	uint64_t row_end;      /* the offset behind its last write */
	bool held; /* the last draw has not become an I/O yet; the next one of its direction uses it: */
	uint64_t held_offset;
	uint32_t held_len;
	enum io_dir held_dir;
};

/* Begins a pass; the write pointers stay. key: of the random order. */
void zbd_begin(struct offset_gen *g, uint64_t key);
bool zbd_next(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len);

#endif
