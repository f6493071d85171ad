/* counts.h: the counts of wstat.h as rows: how those of workers add up, and their keys in JSON
   (jobs[].fiord.counts), which json_counts.c writes and read_counts.c reads. All counts there are strings,
   because many readers hold numbers as doubles, which are exact only up to 2^53. A count of 0 is left out. */
#ifndef COUNTS_H
#define COUNTS_H

#include <stdbool.h>
#include "wstat.h"

struct count_key {
	const char *key; /* NULL ends a table */
	size_t at;       /* offset of a uint64_t */
	bool max;        /* of several, the greatest counts, not their sum */
};

extern const struct count_key counts_of_job[]; /* in struct wcount */
extern const struct count_key counts_by_dir[]; /* in struct wcount: the first of DIR_COUNT values */
extern const struct count_key counts_of_dir[]; /* in struct wstat_dir */
extern const struct count_key counts_of_lat[]; /* in struct moments, but for sq_lo and sq_hi: "sum_sq" */

/* "read", "write", "trim", "sync"; of a job with `mixed`, "mixed" replaces "read". "slat", "clat", "lat",
 * "resp". */
extern const char *const counts_dir_name[DIR_COUNT];
extern const char *const counts_kind_name[LAT_KINDS];

static inline uint64_t *count_at(void *counts, const struct count_key *key)
{
	return (uint64_t *)(void *)((char *)counts + key->at);
}

#endif
