/* parts.h: what one worker did, counted apart for each of its files, and for intervals of equal length from
   the start of its measurement: what DISKSPD's reports tell of a thread's targets. Beside its wstat, in
   shared memory: no pointers, one writer; zeroed memory is an empty one. Read when the worker has ended.

   Latencies are from start to done (LAT_LAT). */
#ifndef PARTS_H
#define PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "wstat.h"

#define PART_DIRS  2 /* reads and writes */
#define PART_FOUND 8

/* What the plan asks for. */
struct parts_cfg {
	uint32_t files;     /* 0: nothing is counted apart */
	uint32_t buckets;   /* intervals of each file; 0: none */
	uint64_t bucket_ns; /* how long each is; what comes after the last one is in none */
	bool hists;
	bool waits; /* how completions were found */
};

/* I/Os are lat.n. min is not UINT64_MAX while n is 0. */
struct part_bucket {
	struct moments lat[PART_DIRS];
};
struct part {
	uint64_t bytes[PART_DIRS];
	struct moments lat[PART_DIRS];
	struct hist hist[PART_DIRS]; /* parts_cfg.hists */
};

struct part_waits {
	uint64_t waits;
	uint64_t looks; /* without waiting */
	uint64_t
		found[PART_FOUND]; /* [i]: how often a look found i + 1 I/Os, the last one: so many or more */
};

size_t parts_bytes(const struct parts_cfg *c);

/* parts: memory of parts_bytes(). */
static inline struct part *parts_file(void *parts, uint32_t file)
{
	return (struct part *)parts + file;
}
static inline struct part_bucket *parts_buckets(void *parts, const struct parts_cfg *c, uint32_t file)
{
	return (struct part_bucket *)(void *)parts_file(parts, c->files) + (size_t)file * c->buckets;
}

/* Where parts_cfg.waits. */
static inline struct part_waits *parts_waits(void *parts, const struct parts_cfg *c)
{
	return (struct part_waits *)(void *)parts_buckets(parts, c, c->files);
}
/* n completions were taken out after one look and so many waits, each of which had a look before it. */
void parts_took(struct part_waits *p, uint64_t waits, unsigned n);

/* Of zeroed memory. */
void parts_init(void *parts, const struct parts_cfg *c);
/* The interval that ns after the start belongs to; buckets: none. */
uint32_t parts_bucket_at(const struct parts_cfg *c, uint64_t ns);
/* One I/O; bucket: of its end. */
void parts_add(void *parts, const struct parts_cfg *c, uint32_t file, uint32_t bucket, unsigned dir,
	       uint64_t bytes, uint64_t ns);

#endif
