/* offset.h: where the next I/O of one file goes, and how long it is. Pure and seeded; allocates nothing.

   Sequential: each direction has its own position, as in fio. Only whole blocks: a tail smaller than the
   smallest size is not touched. Random with coverage, one block size: a permutation of the blocks, shared by
   the directions. Random without coverage (norandommap unless random_generator=lfsr, or a blockalign other
   than the block size, as in fio): uniform draws that never end by themselves. rand*:N: a pass ends when as
   many bytes are done as the range holds. So it does with percentage_random: an I/O that does not go anywhere
   follows the last one of its direction, or begins at the start, and behind the end of the range the next one
   goes anywhere (at 0 %, to the start). Of one block size, places are visited once before any comes again,
   but what follows on may have been done. A distribution (dist) means draws that never end by themselves,
   unless some I/Os follow on (rand*:N, percentage_random).

   Random with coverage, a list of sizes (bssplit, or one size per direction): the permutation runs over
   cells. Each cell is cut wholly into pieces of one size, whichever is drawn when it is needed; a small size
   cuts up a piece of the next larger size that is a multiple of it, so that little is open at any time. An
   I/O gets the size drawn for its direction, until at the end of the pass nothing is left that can be cut
   into it; what is open then goes to whoever comes, other sizes of its own direction first. The cell is 1 to
   16 times the largest size, whatever suits all sizes best: a multiple of them, or one in which others fill
   what a size leaves over. Nothing but listed sizes is drawn, unless there is no such cell: then the rest of
   a cell may be smaller than the smallest size.

   Random with coverage, a range of sizes in any direction (or more than OFFSET_SIZES different sizes): cells
   of the largest size, each cut into sizes drawn from the distribution; the last piece of a cell is what
   remains.

   In both, every byte is touched once per pass, and several cells are cut in turn, so that neighbours in a
   cell are not neighbours in time.

   A walk (seq_wrap.h): sequential I/O that goes round for ever, from one position for reads and writes, for
   each I/O in flight or for several jobs; and random I/O whose runs in order are all reads or all writes.

   trimwrite: offsets and sizes are drawn for trims. What was trimmed is then written, in one piece. */
#ifndef OFFSET_H
#define OFFSET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "bsize.h"
#include "dist.h"
#include "mix.h"
#include "permute.h"

/* Where a walk goes on when the next I/O would pass the end: at the start, or at `first` modulo the step. */
enum seq_wrap { SEQ_WRAP_START, SEQ_WRAP_TARGET };
/* percentage_random: when the direction is drawn, for each I/O or for those that go anywhere. */
enum seq_runs { SEQ_RUNS_MIXED, SEQ_RUNS_HOMOGENEOUS };
enum rw_sequencer { RW_SEQ_SEQUENTIAL, RW_SEQ_IDENTICAL };
/* Names that fio's users choose between; here one generator serves all, coverage needs no bitmap. */
enum random_generator { RANDGEN_TAUSWORTHE, RANDGEN_LFSR, RANDGEN_TAUSWORTHE64 };

struct offset_cfg {
	unsigned rw;       /* enum rw_bits */
	unsigned rw_nr;    /* rand*:N: I/Os per random pick, 1 = each */
	int64_t rw_stride; /* seq:BYTES: added to the position after each I/O; may be negative */
	enum rw_sequencer sequencer;
	bool norandommap;
	uint32_t random_percent[DIR_DATA]; /* how many of 100 random I/Os go anywhere; the others follow on */
	const struct dist_cfg *dist;       /* NULL: every block alike */
	enum random_generator generator;
	uint64_t ba[DIR_DATA]; /* random offsets are multiples of this; 0: the smallest block size */
	uint64_t randseed;
	bool randrepeat;
	bool shared_pos; /* sequential reads and writes have one position together */
	bool shared;     /* ... and so have all generators that offset_share joins */
	bool endless;    /* sequential I/O goes round: its file is not done when it meets the end */
	bool per_slot;   /* each I/O in flight has a generator of its own */
	enum seq_wrap wrap;
	enum seq_runs runs;
	struct bsize_cfg bsize;
};

/* OFFSET_LISTED: cells of a list of sizes; OFFSET_CELLS: of a range. */
enum offset_kind {
	OFFSET_SEQUENTIAL,
	OFFSET_BLOCKS,
	OFFSET_LISTED,
	OFFSET_CELLS,
	OFFSET_UNIFORM,
	OFFSET_GROUPS,
	OFFSET_SEQ_WRAP,
	OFFSET_RUNS
};

#define OFFSET_SIZES BSSPLIT_MAX
#define OFFSET_OPEN  96 /* OFFSET_LISTED: cells open at once, of all sizes; more than OFFSET_SIZES */
#define OFFSET_TURNS 64 /* OFFSET_CELLS */

/* A cell, or a piece of one, being cut: the rest of it, relative to start. */
struct offset_cell {
	uint64_t at;
	uint32_t left;
	uint8_t next; /* OFFSET_LISTED: in the ring of its size, or among the free ones */
};

/* OFFSET_LISTED: one of the sizes. */
struct offset_size {
	uint32_t bytes;
	uint32_t pieces;    /* that a cell of it has */
	uint32_t taken;     /* pieces in this pass */
	uint8_t dirs;       /* which directions list it, rw_bits */
	uint8_t parent;     /* the size whose pieces are cut into this one; itself: cells are */
	uint8_t most, open; /* cells kept open: at most, now */
	uint8_t last;       /* of the ring of them; the next of the last is the first */
};

/* One file's range as one worker sees it. With thousands of files each I/O finds another one cold: what most
   of them need lies together in front. */
struct offset_gen {
	enum offset_kind quick;   /* kind where offset_next does all by itself, else OFFSET_RUNS */
	uint32_t fixed[DIR_DATA]; /* the only size of an I/O, 0: drawn */
	uint64_t start;           /* the range [start, start + len) */
	uint64_t block;           /* OFFSET_BLOCKS: the size of all I/Os */
	struct permute perm;      /* over blocks or cells */
	uint64_t len;
	uint64_t pos[DIR_DATA]; /* next sequential position, relative to start */
	const struct offset_cfg *cfg;
	enum offset_kind kind;
	unsigned group_left;      /* I/Os left of an rw_nr group */
	uint32_t least[DIR_DATA]; /* smallest I/O */
	uint64_t align[DIR_DATA]; /* uniform draws: multiples of this, */
	uint64_t slots[DIR_DATA]; /* and so many of them */
	unsigned share[DIR_DATA]; /* dist_share */
	uint64_t pass_left;       /* bytes until a pass of groups ends */
	uint64_t pair_offset;     /* trimwrite: what was trimmed and is still to be written */
	uint32_t pair_len;
	uint64_t first;          /* where a walk begins, relative to start */
	_Atomic uint64_t *turns; /* offset_share: how many I/Os have been drawn; NULL: not shared */
	bool running, anywhere;  /* OFFSET_RUNS: there is a last I/O; the next one does not follow it */
	enum io_dir run_dir;
	struct rng rng;
	uint64_t seed, pass;
	uint64_t usable;     /* cells: the bytes that they share, relative to start */
	uint32_t cell_bytes; /* all but the last */
	unsigned open, turn; /* cells in use of cell[]; OFFSET_CELLS: whose turn it is */
	uint64_t untouched;  /* OFFSET_LISTED: cells not opened yet */
	unsigned nsizes;
	uint8_t free; /* the first cell not in use, if one is */
	/* From here on only offset_bytes knows whether there is anything. */
	struct offset_size size[OFFSET_SIZES]; /* ascending */
	struct offset_cell cell[OFFSET_OPEN];
};

/* How many bytes of a generator are used: those that list what is cut into other sizes are, where that is
 * done. */
size_t offset_bytes(const struct offset_cfg *cfg);
/* Whether some I/Os follow the one before them. */
bool offset_follows_on(const struct offset_cfg *cfg);
/* Whether I/O in order is a walk. */
bool offset_wraps(const struct offset_cfg *cfg);
/* seed is the worker's and file's own. Keeps cfg. */
void offset_init(struct offset_gen *g, const struct offset_cfg *cfg, uint64_t start, uint64_t len,
		 uint64_t seed);
/* Where a walk begins, relative to the range; SEQ_WRAP_TARGET. Right after offset_init. */
void offset_set_first(struct offset_gen *g, uint64_t first);
/* cfg->shared: this count is that of all whose walk is one. One block size. */
void offset_share(struct offset_gen *g, _Atomic uint64_t *turns);
/* SEQ_RUNS_HOMOGENEOUS: the direction of the next I/O, which offset_next must then draw. */
enum io_dir offset_run_dir(struct offset_gen *g, struct mixer *m);
static inline bool offset_has_runs(const struct offset_gen *g)
{
	return g->kind == OFFSET_RUNS;
}

/* Another pass; a walk goes on. fresh_order: a new random order (time_based); else the same one again (loops,
   or io_size larger than size). */
void offset_restart(struct offset_gen *g, bool fresh_order);
/* rand*:N and percentage_random: as in fio the loops of a job are one, which does not begin anew between
 * them. */
static inline bool offset_continues(const struct offset_gen *g)
{
	return g->kind == OFFSET_GROUPS;
}
/* Another pass of such a generator, from where it is. */
void offset_continue(struct offset_gen *g);
/* For offset_next alone. */
bool offset_next_any(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len);

/* Draws the next I/O of this direction. False when the pass over this file is complete (the file is done):
   random, everything is covered; sequential, this direction's position reached the end. In fio the end of one
   direction ends the pass for all. The bytes done are the caller's to count against io_size. */
static inline bool offset_next(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	uint64_t at;

	if (g->quick == OFFSET_BLOCKS) {
		at = permute_next(&g->perm);
		if (at == UINT64_MAX)
			return false;
		at *= g->block;
	} else if (g->quick == OFFSET_SEQUENTIAL) {
		at = g->pos[dir];
		if (g->fixed[dir] > g->len - at)
			return false;
		g->pos[dir] = at + g->fixed[dir];
	} else if (g->quick == OFFSET_UNIFORM) {
		at = rng_below(&g->rng, g->slots[dir]) * g->align[dir];
	} else {
		return offset_next_any(g, dir, offset, len);
	}
	*offset = g->start + at;
	*len = g->fixed[dir];
	return true;
}

/* Whether offset_take draws for these directions (rw_bits): their I/Os have one size, and where each goes
   does not depend on its direction. */
bool offset_can_take(const struct offset_gen *g, unsigned dirs);
/* The offsets of the next I/Os, all of this direction or (where offset_can_take) of any, as offset_next would
   draw them: 1 to max, or 0 when the pass is complete. */
unsigned offset_take(struct offset_gen *g, enum io_dir dir, uint64_t *offset, unsigned max);

#endif
