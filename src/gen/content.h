/* content.h: the content of written blocks. By default it is incompressible and unique: each buffer holds
   random data that is generated once, and each write combines it with another random mask.

   With compress or dedupe the data of a job is a sequence of numbered units, and the number decides the
   content of a unit. Shares are therefore exact after any number of units, and layout needs no memory of
   earlier units. */
#ifndef CONTENT_H
#define CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "rng.h"

/* pattern.c: the user's bytes, repeated over a block; the block's offset stands at places in them. */

#define PATTERN_OFFSET_BYTES 8u /* bytes of %o, little endian */

struct pattern {
	const unsigned char *bytes;
	uint32_t len; /* 1 or more */
	uint32_t noffsets;
	const uint32_t *offset_at; /* positions of the offset in bytes; ascending, not overlapping */
};

/* Fills buf with the repeated pattern, as bytes from `phase` on of a block at `offset` of its file. */
void pattern_put(const struct pattern *p, void *buf, size_t bytes, uint64_t phase, uint64_t offset);

/* Compares buf with what pattern_put() would put there. Returns the position of the first byte that differs,
   or `bytes`. */
size_t pattern_differs(const struct pattern *p, const void *buf, size_t bytes, uint64_t phase,
		       uint64_t offset);

enum dedupe_mode {
	DEDUPE_REPEAT,      /* repeats the previous unique unit */
	DEDUPE_WORKING_SET, /* repeats a unit of the working set */
};

struct buffer_cfg {
	bool zero;     /* zero_buffers */
	bool refill;   /* refill_buffers: new random content before each write */
	bool scramble; /* scramble_buffers, on by default: a new mask for each write; off: the same content */
	const struct pattern *pattern; /* buffer_pattern; NULL: none */
	uint32_t compress;             /* percent of each chunk that compresses away */
	uint64_t compress_chunk;       /* bytes; 0: a unit */
	uint32_t dedupe;               /* percent of the units that repeat another unit */
	unsigned dedupe_mode;          /* enum dedupe_mode */
	uint32_t dedupe_set;           /* percent of the units that make up the working set */
	bool dedupe_global;            /* jobs share one working set */
};

/* The sizes on which the content depends, and this job's place in the run. */
struct content_geometry {
	uint64_t seed;
	uint32_t unit;  /* bytes: the smallest write */
	uint32_t block; /* bytes after which a pattern starts again in a layout */
	uint64_t units; /* units of the file or pass; the working set is a percentage of them */
	uint32_t share,
		shares; /* with dedupe_global: this job's number and the number of jobs, else 0 of 0 */
	bool reads;     /* the job reads into the same buffers */
};

enum content_kind {
	CONTENT_KEEP,
	CONTENT_ZERO,
	CONTENT_RANDOM,
	CONTENT_MASK,
	CONTENT_MASK_BASE,
	CONTENT_PATTERN,
	CONTENT_UNITS,
	CONTENT_POOL,
	CONTENT_BLOCKS
};

/* write_pool: each write is a random slice of it, at a multiple of `align`. It is at least as large as any
   write. */
struct content_pool {
	const unsigned char *bytes;
	uint64_t size;
	uint32_t align;
};

/* Makes the content of each write, such as a block that can be verified. */
struct content_maker {
	void (*make)(void *arg, void *buf, size_t bytes, uint64_t offset);
	void *arg;
};

struct content {
	const struct buffer_cfg *cfg;
	struct content_geometry geometry;
	enum content_kind kind; /* content of a write */
	struct content_pool pool;
	struct content_maker maker; /* CONTENT_BLOCKS */
	uint32_t chunk;             /* chunk size of units, in bytes */
	uint64_t working_set,
		next_unit; /* units in this job's part of the working set; units written so far */
	struct rng rng;
	/* CONTENT_MASK_BASE: the base for the masks, because reads overwrite the buffers. If it does not
	   begin a cache line, every second vector of a mask lies in two lines. */
	_Alignas(64) unsigned char random[4096];
};

/* cfg must outlive c. */
void content_init(struct content *c, const struct buffer_cfg *cfg, const struct content_geometry *geometry);
/* From now on writes take slices of this pool. */
void content_use_pool(struct content *c, const struct content_pool *pool);
/* From now on this function makes each write. */
void content_use_maker(struct content *c, const struct content_maker *maker);
/* Returns how many bytes of a chunk of this size are random; the rest is a repetition that compresses away.
 */
uint32_t content_random_part(const struct buffer_cfg *cfg, uint32_t chunk);
/* Fills buf with the random bytes of a pool at [pos, pos + bytes), which are the same in every run. */
void content_pool_random(void *buf, size_t bytes, uint64_t pos);
/* Fills a buffer before its first write. */
void content_init_buffer(struct content *c, void *buf, size_t bytes);
/* Fills the buffer with new content. For content_before_write only. */
void content_generate(struct content *c, void *buf, size_t bytes, uint64_t offset);
/* Fills buf with the layout's content of [offset, offset + bytes), wherever the layout began. Returns
   false if the content depends on more than that: random data, from content_init_buffer. */
bool content_at(const struct content *c, void *buf, size_t bytes, uint64_t offset);

static inline void content_before_write(struct content *c, void *buf, size_t bytes, uint64_t offset)
{
	if (c->kind != CONTENT_KEEP)
		content_generate(c, buf, bytes, offset);
}

#endif
