/* content.h: what written blocks contain. Incompressible and unique by default: a buffer is random data made
   once, and each write lays another random mask over it.

   With compress or dedupe the data of a job is a row of numbered units, each of which says what stands in it:
   so shares are exact after any number of units, and what is laid out needs no memory of what stands before.
 */
#ifndef CONTENT_H
#define CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "pattern.h"
#include "rng.h"

enum dedupe_mode {
	DEDUPE_REPEAT,      /* the unique unit before is repeated */
	DEDUPE_WORKING_SET, /* any of the first ones */
};

struct buffer_cfg {
	bool zero;     /* zero_buffers */
	bool refill;   /* refill_buffers: new random content before each write */
	bool scramble; /* scramble_buffers, default on: new mask; off: the same content again and again */
	const struct pattern *pattern; /* buffer_pattern; NULL: none */
	uint32_t compress;             /* percent of each chunk that compresses away */
	uint64_t compress_chunk;       /* bytes; 0: a unit */
	uint32_t dedupe;               /* percent of the units that are found elsewhere, too */
	unsigned dedupe_mode;          /* enum dedupe_mode */
	uint32_t dedupe_set;           /* percent of the units that make up the working set */
	bool dedupe_global;            /* jobs share one working set */
};

/* Where the content goes. */
struct content_place {
	uint64_t seed;
	uint32_t unit;          /* bytes: the smallest write */
	uint32_t block;         /* bytes after which a pattern begins again in what is laid out */
	uint64_t units;         /* of the file or pass: what the working set is a share of */
	uint32_t share, shares; /* of dedupe_global: this job's number, of how many; 0 of 0 without */
	bool reads;             /* the job reads into the same buffers */
};

enum content_how {
	CONTENT_KEEP,
	CONTENT_ZERO,
	CONTENT_RANDOM,
	CONTENT_MASK,
	CONTENT_OVER,
	CONTENT_PATTERN,
	CONTENT_UNITS,
	CONTENT_POOL
};

/* write_pool: each write is a slice of it, taken at random at a multiple of `align`. At least as large as any
   write. */
struct content_pool {
	const unsigned char *bytes;
	uint64_t size;
	uint32_t align;
};

struct content {
	const struct buffer_cfg *cfg;
	struct content_place place;
	enum content_how how; /* before a write */
	struct content_pool pool;
	uint32_t chunk;     /* of units */
	uint64_t set, next; /* units: in the working set, this job's part; written so far */
	struct rng rng;
	unsigned char
		random[4096]; /* CONTENT_OVER: what masks are laid over, the buffers being overwritten */
};

/* cfg must outlive it. */
void content_init(struct content *c, const struct buffer_cfg *cfg, const struct content_place *place);
/* From now on writes take slices of this. */
void content_use_pool(struct content *c, const struct content_pool *pool);
/* The random bytes of a pool at [pos, pos + bytes): the same in every run, whoever makes them. */
void content_pool_random(void *buf, size_t bytes, uint64_t pos);
/* A buffer before the first write. */
void content_first(struct content *c, void *buf, size_t bytes);
/* For content_before_write. */
void content_generate(struct content *c, void *buf, size_t bytes, uint64_t offset);
/* What is laid out at [offset, offset + bytes), from whatever offset the laying out began. False if it
   depends on more than that: random data, for content_first. */
bool content_at(const struct content *c, void *buf, size_t bytes, uint64_t offset);

static inline void content_before_write(struct content *c, void *buf, size_t bytes, uint64_t offset)
{
	if (c->how != CONTENT_KEEP)
		content_generate(c, buf, bytes, offset);
}

#endif
