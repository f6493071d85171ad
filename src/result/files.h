/* files.h: the figures of a job's files (result_job.files). A caller adds counts, any number of them for one
   path, and then calls result_files_finish. The result owns all memory. */
#ifndef RESULT_FILES_H
#define RESULT_FILES_H

#include "result.h"

/* Returns the file of this host and path, which it adds if it is new. host may be NULL. Returns NULL when
   memory is short, and marks the result. */
struct result_file *result_files_find(struct result *r, struct result_files *f, const char *host,
				      const char *path);
/* Adds one direction: its counts and bins. */
void result_file_add(struct result *r, struct result_file *file, unsigned dir, const struct file_dir *counts,
		     const struct result_bins *bins);
/* Adds all files of `from`; those without a host become files of `host`. Copies this many percentiles of each
   file, for files without bins; 0: files without bins have no percentiles. */
void result_files_merge(struct result *r, struct result_files *to, const struct result_files *from,
			const char *host, unsigned percentiles);
/* Adds writes and trims to DIR_READ, as snap_mix. */
void result_files_mix(struct result *r, struct result_files *f);
/* Computes the figures, with the percentiles of `sum` where all bins are known. No more files may be added.
 */
void result_files_finish(struct result *r, struct result_files *f, const struct summary *sum);

/* The files to print where there is no room for all: the busiest, then the slowest, then those with the most
   errors. No file is in two lists. With at most FILES_LISTED files, the first list has all in their order. */
#define FILES_LISTED 20
enum { FILES_BUSIEST, FILES_SLOWEST, FILES_FAULTY, FILES_LISTS };
struct result_files_choice {
	size_t index[FILES_LISTS][FILES_LISTED];
	unsigned n[FILES_LISTS];
	uint64_t unlisted; /* files in no list */
};
void result_files_choose(const struct result_files *f, struct result_files_choice *c);
/* Returns the I/Os in all directions. */
uint64_t result_file_ios(const struct result_file *file);
/* Returns a latency with its figures; percentiles point to those of the file. */
struct summary_lat result_file_lat(const struct result_files *f, const struct result_file *file, unsigned dir,
				   enum file_lat lat, unsigned percentiles);

#endif
