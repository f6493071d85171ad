/* merge_files.h: the files (per_file_stats) of several entries. For merge.c. */
#ifndef MERGE_FILES_H
#define MERGE_FILES_H

#include "result.h"

/* Zeroed: empty. The memory is that of the merged result. */
struct merge_files {
	struct result_files sum;
	size_t entries; /* that have counts of files */
};

/* Adds the files of an entry to its own copy, and to the sum under the name of the host, because the same
   path on another host is another file. bins: the copy keeps its bins. Returns 0, or -EOVERFLOW if the counts
   are too large. */
int merge_files_add(struct merge_files *m, struct result *out, struct result_job *own,
		    const struct result_job *job, bool bins);
/* Adds the files of all entries to the entry of all, unless some of the entries have no counts of files. */
void merge_files_finish(const struct merge_files *m, struct result *out, struct result_job *all,
			size_t entries);

#endif
