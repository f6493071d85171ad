/* file_stats.h: counts the I/Os of one worker for each of its files (per_file_stats). The counts are plain
   shared memory: they hold no pointers and have one writer, and zeroed memory is empty, so that files without
   I/Os cost no memory. The parent reads them after the worker has ended.

   The counts of one direction lie together, because many jobs have only one. */
#ifndef FILE_STATS_H
#define FILE_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "wstat.h"

/* The latencies that files have, by their meaning in wstat.h: LAT_CLAT and LAT_LAT. */
enum file_lat { FILE_CLAT, FILE_LAT, FILE_LATS };

/* The counts that the plan asks for. */
struct file_stats_cfg {
	uint32_t files;         /* 0: files are not counted separately */
	uint8_t dirs;           /* bits of enum io_dir: the directions in which the job may have I/Os */
	uint8_t lat[FILE_LATS]; /* likewise: the directions in which this latency is measured */
	bool hists;
	enum file_lat hist_lat; /* the latency of the histograms */
};

/* One direction of one file. Unlike in wstat, min is 0 while n is 0. */
struct file_dir {
	uint64_t ios, bytes, short_ios, errors; /* as in struct wstat_dir */
	struct moments lat[FILE_LATS];
};

/* Return the size of a worker's counts, and how many bytes of them a job touches at most. */
size_t file_stats_bytes(const struct file_stats_cfg *c);
size_t file_stats_used_bytes(const struct file_stats_cfg *c);

/* In all functions `counts` is the worker's memory of file_stats_bytes(). */
static inline struct file_dir *file_stats_dir(void *counts, const struct file_stats_cfg *c, uint32_t file,
					      unsigned dir)
{
	return (struct file_dir *)counts + (size_t)dir * c->files + file;
}
/* Only with file_stats_cfg.hists. The histogram of a direction without I/Os is not initialised. */
static inline struct hist *file_stats_hist(void *counts, const struct file_stats_cfg *c, uint32_t file,
					   unsigned dir)
{
	return (struct hist *)(void *)file_stats_dir(counts, c, 0, DIR_COUNT) + (size_t)dir * c->files + file;
}

/* Returns the latency of the histograms of one direction: syncs have only clat. */
static inline enum file_lat file_stats_hist_lat(const struct file_stats_cfg *c, unsigned dir)
{
	return dir == DIR_SYNC ? FILE_CLAT : c->hist_lat;
}

/* Counts one I/O that has transferred all its bytes. lat_ns: by enum file_lat. */
void file_stats_add(void *counts, const struct file_stats_cfg *c, uint32_t file, unsigned dir, uint64_t bytes,
		    const uint64_t lat_ns[FILE_LATS]);
/* Returns whether there is anything to report. */
bool file_dir_used(const struct file_dir *d);
/* Adds `from` to `to`, which may be zeroed. */
void file_dir_merge(struct file_dir *to, const struct file_dir *from);

#endif
