/* per_file.h: what one worker did, counted apart for each of its files, and for intervals of equal length
   from the start of its measurement: what DISKSPD's reports tell of a thread's targets. Beside its wstat, in
   shared memory: no pointers, one writer; zeroed memory is an empty one. Read when the worker has ended.

   Latencies are from start to done (LAT_LAT). */
#ifndef PER_FILE_H
#define PER_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "wstat.h"

#define PER_FILE_DIRS  2 /* reads and writes */
#define PER_FILE_FOUND 8

/* What the plan asks for. */
struct per_file_cfg {
	uint32_t files;     /* 0: nothing is counted apart */
	uint32_t buckets;   /* intervals of each file; 0: none */
	uint64_t bucket_ns; /* how long each is; what comes after the last one is in none */
	bool hists;
	bool waits; /* how completions were found */
};

/* I/Os are lat.n. min is not UINT64_MAX while n is 0. */
struct per_file_bucket {
	struct moments lat[PER_FILE_DIRS];
};
struct per_file {
	uint64_t bytes[PER_FILE_DIRS];
	struct moments lat[PER_FILE_DIRS];
	struct hist hist[PER_FILE_DIRS]; /* per_file_cfg.hists */
};

struct per_file_waits {
	uint64_t waits;
	uint64_t looks;                 /* without waiting */
	uint64_t found[PER_FILE_FOUND]; /* [i]: how often a look found i + 1 I/Os, the last one: so many or
					   more */
};

size_t per_file_bytes(const struct per_file_cfg *c);

/* parts: memory of per_file_bytes(). */
static inline struct per_file *per_file_of(void *parts, uint32_t file)
{
	return (struct per_file *)parts + file;
}
static inline struct per_file_bucket *per_file_buckets(void *parts, const struct per_file_cfg *c,
						       uint32_t file)
{
	return (struct per_file_bucket *)(void *)per_file_of(parts, c->files) + (size_t)file * c->buckets;
}

/* Where per_file_cfg.waits. */
static inline struct per_file_waits *per_file_waits_of(void *parts, const struct per_file_cfg *c)
{
	return (struct per_file_waits *)(void *)per_file_buckets(parts, c, c->files);
}
/* n completions were taken out after one look and so many waits, each of which had a look before it. */
void per_file_found(struct per_file_waits *p, uint64_t waits, unsigned n);

/* Of zeroed memory. */
void per_file_init(void *parts, const struct per_file_cfg *c);
/* The interval that ns after the start belongs to; buckets: none. */
uint32_t per_file_bucket_at(const struct per_file_cfg *c, uint64_t ns);
/* One I/O; bucket: of its end. */
void per_file_add(void *parts, const struct per_file_cfg *c, uint32_t file, uint32_t bucket, unsigned dir,
		  uint64_t bytes, uint64_t ns);

#endif
