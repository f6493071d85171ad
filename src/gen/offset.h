/* offset.h: draws the offset and size of the next I/O of one file. Pure and seeded; allocates nothing.

   Sequential: each direction has its own position, as in fio. A tail smaller than the smallest size is
   never used.

   Random with coverage, one block size: a permutation of the blocks, which the directions share.

   Random without coverage (norandommap unless random_generator=lfsr, or a blockalign other than the block
   size, as in fio): uniform draws that never end by themselves. The same holds for a distribution (dist),
   unless some I/Os follow others (rand*:N, percentage_random). A skewed one (zipf, pareto, normal) keeps its
   hot places in each pass; the table of skews decides where they are.

   rand*:N and percentage_random: a pass ends when it has done as many bytes as the range holds. With
   percentage_random an I/O that is not random follows the last one of its direction, or begins at the
   start; at the end of the range the next one is random (at 0 %: at the start). With one block size,
   random places are visited once before any is visited again, but sequential I/Os may already have touched
   them.

   Random with coverage, a list of sizes (bssplit, or one size per direction): the permutation runs over
   extents. Each extent is cut into pieces of one size, chosen when it is needed; a small size cuts a piece of
   the next larger size that is a multiple of it, so that few extents are open at a time. An I/O gets the
   size drawn for its direction until, at the end of the pass, no piece of that size is left; then it takes
   another size, first one of its own direction. An extent is 1 to 16 times the largest size: a multiple of
   all sizes, or a size in which other sizes fill the rest. Only listed sizes occur, unless there is no
   such extent: then the rest of an extent may be smaller than the smallest size.

   Random with coverage, a range of sizes in any direction (or more than OFFSET_SIZES sizes): extents of the
   largest size, each cut into sizes drawn from the distribution; the last piece of an extent is its rest.

   In both cases each pass touches every byte once, and several extents are cut in turn, so that neighbours
   in an extent are not neighbours in time.

   Sequential I/O that wraps around, with one position for reads and writes, for each I/O in flight or for
   several jobs, and random I/O with runs of one direction: see seq_wrap.c.

   trimwrite: offsets and sizes are drawn for trims. Each trimmed range is then written in one I/O.

   bs_is_seq_rand with rand*:N and percentage_random: random I/Os have other sizes than those that follow
   them. Random places are multiples of the size of random I/Os.

   zonemode=zbd: random writes choose zones, and go to their write pointers: see zbd.c.

   zonemode=strided: all the rules above hold inside one zone, and the zones take turns: see strided.c. */
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
#include "skew.h"

struct zbd;

/* How zonemode divides the range of a file into zones. */

enum zone_mode { ZONE_NONE, ZONE_STRIDED, ZONE_ZBD };

struct zone_cfg {
	enum zone_mode mode;
	uint64_t size;  /* ZONE_STRIDED: bytes that are moved before the next zone has its turn; ZONE_ZBD:
			   length of a zone */
	uint64_t range; /* ZONE_STRIDED: length of a zone */
	uint64_t skip;  /* bytes between two zones */
	/* ZONE_ZBD: */
	uint64_t capacity;        /* bytes of a zone that are written */
	uint32_t max_open;        /* most zones of the target that may be open; 0: any number */
	uint32_t job_max_open;    /* most zones that one worker may open; 0: any number */
	uint32_t reset_threshold; /* in millionths */
	uint32_t reset_frequency; /* resets per write, in millionths */
	bool read_beyond_wp;
	bool append; /* the device chooses where a write goes in its zone, so several may be in flight */
};

/* The zones of a range that take turns (ZONE_STRIDED). */
struct zone_turns {
	uint64_t start, len; /* the range, with all zones */
	uint64_t at;         /* start of the zone whose turn it is, relative to start */
	uint64_t left;       /* bytes that this turn has yet to move */
	uint64_t key, turn;  /* of this pass; turns so far */
	uint64_t pass_bytes, pass_left;
};

/* Returns how many zones a range has (ZONE_STRIDED). The last one may be cut short, but has room for an I/O
   of the largest size. */
static inline uint64_t zone_count(const struct zone_cfg *z, uint64_t len, uint32_t largest)
{
	uint64_t period = z->range + z->skip;

	return len / period + (len % period >= largest);
}

/* Where wrapping sequential I/O continues when the next I/O would pass the end: at the start, or at
   `first` modulo the step. */
enum seq_wrap { SEQ_WRAP_START, SEQ_WRAP_TARGET };
/* percentage_random: draws the direction of each I/O, or only of random ones. */
enum seq_runs { SEQ_RUNS_MIXED, SEQ_RUNS_HOMOGENEOUS };
enum rw_sequencer { RW_SEQ_SEQUENTIAL, RW_SEQ_IDENTICAL };
/* fio's generators. fiord has one generator for all of them, and coverage needs no bitmap. */
enum random_generator { RANDGEN_TAUSWORTHE, RANDGEN_LFSR, RANDGEN_TAUSWORTHE64 };

/* Which random numbers are the same. */
enum randrepeat {
	RANDREPEAT_NONE,
	RANDREPEAT_RUNS,  /* those of every run; each rank has its own */
	RANDREPEAT_RANKS, /* those of all ranks, too */
};

struct offset_cfg {
	unsigned rw;       /* enum rw_bits */
	unsigned rw_nr;    /* rand*:N: I/Os per random position; 1: each */
	int64_t rw_stride; /* seq:BYTES: added to the position after each I/O; may be negative */
	enum rw_sequencer sequencer;
	bool norandommap;
	uint32_t random_percent[DIR_DATA]; /* percentage of random I/Os; the others are sequential */
	const struct dist_cfg *dist;       /* NULL: all blocks equally likely */
	bool sequence_stride;              /* dist is a sequence: each cycle begins behind the one before */
	enum random_generator generator;
	uint64_t ba[DIR_DATA]; /* random offsets are multiples of this; 0: the smallest block size */
	uint64_t randseed;
	unsigned randrepeat; /* enum randrepeat */
	bool allrandrepeat;  /* contents and verified data are the same in every run, too */
	bool shared_pos;     /* sequential reads and writes share one position */
	bool shared;         /* generators joined by offset_share share it, too */
	bool endless;        /* sequential I/O wraps around: the file is not done at its end */
	bool per_slot;       /* each I/O in flight has its own generator */
	enum seq_wrap wrap;
	enum seq_runs runs;
	struct bsize_cfg bsize;
	struct zone_cfg zone;
};

/* OFFSET_LISTED: extents of a list of sizes; OFFSET_EXTENTS: extents of a range of sizes. */
enum offset_kind {
	OFFSET_SEQUENTIAL,
	OFFSET_BLOCKS,
	OFFSET_LISTED,
	OFFSET_EXTENTS,
	OFFSET_UNIFORM,
	OFFSET_GROUPS,
	OFFSET_SEQ_WRAP,
	OFFSET_RUNS,
	OFFSET_STRIDED,
	OFFSET_ZBD,
	/* fast_kind only: */
	OFFSET_SKEWED, /* skewed draws of one block size */
	OFFSET_PAIRS   /* trimwrite, of any kind */
};

#define OFFSET_SIZES BSSPLIT_MAX
#define OFFSET_OPEN  96 /* OFFSET_LISTED: most extents open at once; more than OFFSET_SIZES */
#define OFFSET_TURNS 64 /* OFFSET_EXTENTS */

/* The rest of an extent or piece that is being cut, relative to start. */
struct offset_extent {
	uint64_t at;
	uint32_t left;
	uint8_t next; /* OFFSET_LISTED: next in the ring of its size, or in the free list */
};

/* OFFSET_LISTED: one size. */
struct offset_size {
	uint32_t bytes;
	uint32_t pieces;        /* pieces in an extent of this size */
	uint32_t taken;         /* pieces taken in this pass */
	uint8_t dirs;           /* directions that list it, rw_bits */
	uint8_t parent;         /* the size whose pieces are cut into this one; itself: extents are cut */
	uint8_t open_max, open; /* open extents: at most, now */
	uint8_t last;           /* last extent of its ring, whose next is the first */
};

/* A skew of one direction, and the draws of it that are ready. */
struct offset_skew {
	const struct skew *skew;
	struct skew_batch *batch;
};

#define OFFSET_SKEWS (2 * DIR_DATA) /* for full zones, and for a shorter last zone */

/* One file's range as one worker sees it. With thousands of files each I/O finds another generator outside
   the CPU's caches, so the fields that most I/Os need stand together at the end, next to the union. */
struct offset_gen {
	enum offset_kind kind;
	enum offset_kind order;           /* OFFSET_STRIDED: the kind inside a zone; OFFSET_ZBD: the kind
					     that chooses zones; else kind */
	uint32_t least[DIR_DATA];         /* smallest I/O */
	uint32_t least_follow[DIR_DATA];  /* smallest I/O that follows another */
	unsigned zone_accesses[DIR_DATA]; /* dist_accesses */
	uint64_t pass_left;               /* bytes until a pass of groups ends */
	uint64_t pair_offset;             /* trimwrite: the trimmed range that is still to be written */
	uint32_t pair_len;
	unsigned group_left;            /* I/Os left of an rw_nr group */
	uint64_t first;                 /* first position of wrapping I/O, relative to start */
	_Atomic uint64_t *shared_count; /* offset_share: I/Os drawn by all; NULL: not shared */
	bool run_exists, run_random;    /* OFFSET_RUNS: a run exists; the next I/O is random */
	enum io_dir run_dir;
	uint64_t seed, pass;
	struct zbd *zbd;         /* OFFSET_ZBD: zbd_set; NULL: not set */
	struct zone_turns turns; /* OFFSET_STRIDED: the range is the zone whose turn it is */
	uint64_t usable;         /* extents: bytes that they cover, relative to start */
	uint32_t extent_bytes;   /* bytes of each extent but the last */
	unsigned open, turn;     /* extents of extent[] in use; OFFSET_EXTENTS: the next one in turn */
	uint64_t untouched;      /* OFFSET_LISTED: extents not yet opened */
	unsigned nsizes;
	uint8_t free;           /* first extent of the free list */
	bool permuted;          /* perm exists */
	unsigned sequence_next; /* dist is a sequence: the next place of the list */
	uint64_t sequence_base; /* is added to the places of this cycle */
	const struct offset_cfg *cfg;
	uint64_t pos[DIR_DATA]; /* next sequential position, relative to start */
	uint64_t len;
	uint64_t places[DIR_DATA]; /* uniform draws: number of places, */
	uint64_t align[DIR_DATA];  /* and alignment of offsets */
	struct rng rng;
	enum offset_kind fast_kind; /* kind if offset_next handles it inline; OFFSET_SKEWED, OFFSET_PAIRS;
				       else OFFSET_RUNS */
	uint32_t fixed[DIR_DATA];   /* the only size of an I/O; 0: sizes are drawn */
	uint64_t start;             /* the range [start, start + len) */
	uint64_t block;             /* the size of all random I/Os; 0: it varies */
	/* The fields below exist only if offset_bytes includes them. */
	union {
		struct {
			struct permute perm;                   /* over blocks or extents */
			struct offset_size size[OFFSET_SIZES]; /* ascending */
			struct offset_extent extent[OFFSET_OPEN];
		};
		struct {
			struct offset_skew skew[OFFSET_SKEWS]; /* [DIR_DATA...]: for the other zone length */
			struct skew_batch skew_batch[OFFSET_SKEWS];
		};
	};
};

/* Returns how many bytes of a generator are used. skew_batch: skew_table.batch, if dist is skewed. */
size_t offset_bytes(const struct offset_cfg *cfg, unsigned skew_batch);
/* Returns whether some I/Os follow the one before them. */
bool offset_partly_sequential(const struct offset_cfg *cfg);
/* Returns whether sequential I/O wraps around. */
bool offset_wraps(const struct offset_cfg *cfg);
/* Initialises a generator for the range [start, start + len). seed is that of the worker and file. cfg
   must outlive g. */
void offset_init(struct offset_gen *g, const struct offset_cfg *cfg, uint64_t start, uint64_t len,
		 uint64_t seed);
/* Sets the first position of wrapping I/O, relative to the range. Call it right after offset_init. */
void offset_set_first(struct offset_gen *g, uint64_t first);
/* OFFSET_STRIDED and OFFSET_ZBD: a pass ends after this many bytes. Call it right after offset_init. */
void offset_set_pass(struct offset_gen *g, uint64_t bytes);
/* dist is skewed: takes the skews from the table, which must outlive g. Has no effect on other orders. Call
   it before any draw. Returns false if memory is short. */
bool offset_set_skews(struct offset_gen *g, struct skew_table *t);
/* cfg->shared: sets the count that all generators with one position share. They need one block size. */
void offset_share(struct offset_gen *g, _Atomic uint64_t *count);
/* SEQ_RUNS_HOMOGENEOUS: draws the direction of the next I/O, for which the caller must then call
   offset_next. */
enum io_dir offset_draw_run_dir(struct offset_gen *g, struct mixer *m);
static inline bool offset_has_runs(const struct offset_gen *g)
{
	return g->kind == OFFSET_RUNS;
}

/* Begins another pass; wrapping I/O keeps its position. fresh_order: a new random order (time_based);
   otherwise the same one (loops, or io_size larger than size). */
void offset_restart(struct offset_gen *g, bool fresh_order);
/* Returns whether the passes of a job continue each other, as in fio with rand*:N and percentage_random.
   repeat: an io_size larger than size makes the passes. */
static inline bool offset_continues(const struct offset_gen *g, bool repeat)
{
	return g->kind == OFFSET_GROUPS || ((g->kind == OFFSET_STRIDED || g->kind == OFFSET_ZBD) && repeat);
}
/* Begins another pass of such a generator at its present position. */
void offset_continue(struct offset_gen *g);
/* For offset_next only. */
bool offset_next_any(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len);

/* Draws the next I/O of this direction. Returns false when the pass over this file is complete: random I/O
   has covered everything, or sequential I/O of this direction has reached the end. In fio the end of one
   direction ends the pass for all. The caller counts bytes against io_size. */
static inline bool offset_next(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	uint64_t at;

	if (g->fast_kind == OFFSET_BLOCKS) {
		at = permute_next(&g->perm);
		if (at == UINT64_MAX)
			return false;
		at *= g->block;
	} else if (g->fast_kind == OFFSET_SEQUENTIAL) {
		at = g->pos[dir];
		if (g->fixed[dir] > g->len - at)
			return false;
		g->pos[dir] = at + g->fixed[dir];
	} else if (g->fast_kind == OFFSET_UNIFORM) {
		at = rng_below(&g->rng, g->places[dir]) * g->align[dir];
	} else {
		return offset_next_any(g, dir, offset, len);
	}
	*offset = g->start + at;
	*len = g->fixed[dir];
	return true;
}

/* Returns whether offset_has_drawn can answer: the generator is random with coverage and one block size, or
   sequential with one direction and no stride. */
bool offset_knows_drawn(const struct offset_gen *g);
/* Returns whether the present pass has drawn the block at this offset, in any direction.
   offset_knows_drawn must be true. All blocks that offset_next_bulk has returned count as drawn. */
bool offset_has_drawn(const struct offset_gen *g, uint64_t offset);

/* Returns whether offset_next_bulk can draw for these directions (rw_bits): their I/Os have one size, and
   offsets do not depend on the direction. */
bool offset_has_bulk(const struct offset_gen *g, unsigned dirs);
/* Draws the offsets of the next I/Os, as offset_next would: 1 to max of them, or 0 when the pass is
   complete. All are of this direction or, if offset_has_bulk, of any. */
unsigned offset_next_bulk(struct offset_gen *g, enum io_dir dir, uint64_t *offset, unsigned max);

#endif
