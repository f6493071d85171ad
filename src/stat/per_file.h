/* per_file.h: counts the I/O of one worker per file, and per interval of equal length from the start of the
   measurement. DISKSPD's reports show these counts for each target of a thread. The counts are plain shared
   memory: they hold no pointers and have one writer, and zeroed memory is empty. The parent reads them after
   the worker has ended.

   Latencies are from start to done (LAT_LAT). */
#ifndef PER_FILE_H
#define PER_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "wstat.h"

#define PER_FILE_DIRS  2 /* reads and writes */
#define PER_FILE_FOUND 8

/* The counts that the plan asks for. */
struct per_file_cfg {
	uint32_t files;     /* 0: files are not counted separately */
	uint32_t buckets;   /* intervals of each file; 0: none */
	uint64_t bucket_ns; /* length of an interval; I/Os after the last interval count in none */
	bool hists;
	bool waits; /* count waits and polls for completions */
};

/* lat.n is the number of I/Os. Unlike in wstat, min is not UINT64_MAX while n is 0. */
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
	uint64_t woken[PER_FILE_FOUND]; /* [i]: waits that ended with i I/Os; the last one: or more */
	uint64_t polls;                 /* checks for completions without waiting */
	uint64_t found[PER_FILE_FOUND]; /* [i]: polls that found i + 1 I/Os; the last one: or more */
};

size_t per_file_bytes(const struct per_file_cfg *c);

/* In all functions `counts` is the worker's memory of per_file_bytes(). */
static inline struct per_file *per_file_of(void *counts, uint32_t file)
{
	return (struct per_file *)counts + file;
}
static inline struct per_file_bucket *per_file_buckets(void *counts, const struct per_file_cfg *c,
						       uint32_t file)
{
	return (struct per_file_bucket *)(void *)per_file_of(counts, c->files) + (size_t)file * c->buckets;
}

/* Returns the counts of waits and polls. They exist only with per_file_cfg.waits. */
static inline struct per_file_waits *per_file_waits_of(void *counts, const struct per_file_cfg *c)
{
	return (struct per_file_waits *)(void *)per_file_buckets(counts, c, c->files);
}
/* Counts n completions that one poll found after `waits` waits. Each wait came after a poll. */
void per_file_count_poll(struct per_file_waits *p, uint64_t waits, unsigned n);

/* Initialises zeroed memory. */
void per_file_init(void *counts, const struct per_file_cfg *c);
/* Returns the interval of a time that is ns after the start; c->buckets if it is in none. */
uint32_t per_file_bucket_at(const struct per_file_cfg *c, uint64_t ns);
/* Counts one I/O. bucket: the interval in which it ended. */
void per_file_add(void *counts, const struct per_file_cfg *c, uint32_t file, uint32_t bucket, unsigned dir,
		  uint64_t bytes, uint64_t ns);

#endif
