/* merge_parts.h: the parts of a merge, one for each kind of data. Zeroed parts are empty; their memory and
   texts are those of the merged result. Private to merge*.c. */
#ifndef MERGE_PARTS_H
#define MERGE_PARTS_H

#include "result.h"
#include "vec.h"
#include "where.h"

/* ---- merge_fit.c: whether counts of several results can be added up. Documents come from anywhere, so their
   counts may be so large that a sum exceeds its 64 bits. ---- */

/* Returns whether all counts fit when they are added, also if all directions are mixed afterwards. */
bool merge_counts_fit(const struct snapshot *to, const struct snapshot *from);
/* Returns whether the sampled rates are finite numbers. */
bool merge_rows_fit(const struct samples *s);
/* Returns whether the sums over all files fit. */
bool merge_files_fit(const struct result_files *f);

/* ---- merge_run.c: what results say about the whole run: machine, global options, exit codes, disks,
   ranks. ---- */

/* Adds the run of a result. machine: the name of its host, for its disks. first: it is the first result. */
void merge_run_add(struct result *out, const struct result *r, const char *machine, bool first);
/* Adds its ranks alone. */
void merge_run_hosts(struct result *out, const struct result *r);

/* ---- merge_files.c: the files (per_file_stats) of several entries. ---- */

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

/* ---- merge_split.c: the parts of the latency of requests (latency_split) of several entries. ---- */

struct merge_split {
	struct merge_split_dir {
		struct merge_split_part {
			struct hist hist;
			uint64_t n, max;
			double of, sum_ns; /* requests that the mean is of, and their time */
		} part[WHERE_PARTS];
		size_t rows, completions, completion_bins; /* rows that know the completion, and its bins */
		uint64_t requests, measured, helper_requests, ios;
		bool lacks_bins, mixed;
	} dir[DIR_DATA];
};

/* Adds the rows of an entry. */
void merge_split_add(struct merge_split *m, const struct result_job *job);
/* Adds a row for each direction, over all disks of all hosts, to the entry of all. Without bins of all
   entries, a note says that there is none. Which requests are the slowest of all is not known. */
void merge_split_finish(const struct merge_split *m, struct result *out, struct result_job *all);

/* ---- merge_notes.c: the notes of several hosts. A note that several hosts have is listed once. ---- */

struct merge_notes {
	struct merge_note {
		const char *text, *host; /* host: the first one with this note */
		size_t hosts;
	} * v;
	size_t n, cap;
	size_t left_out; /* notes that are not listed, because there are too many */
};

/* Adds the notes of a host. */
void merge_notes_add(struct merge_notes *m, struct result *out, const struct notes *notes, const char *host);
/* Adds all of them to the result, each with its hosts. */
void merge_notes_finish(const struct merge_notes *m, struct result *out);
void merge_notes_fini(struct merge_notes *m);

/* ---- merge_series.c: the series of several results on one grid. ---- */

/* While results are added, the grid begins in 1970. */
struct merge_series {
	uint64_t origin_ns; /* since 1970: the start of the grid */
	struct series data;
	VEC(struct result_series_label) label; /* one for each group of data; the merge owns the names */
	VEC(uint64_t) end;                     /* when each group ended */
	uint64_t begin_ns[2];                  /* since 1970: when the first and the last result began */
	uint64_t first_end_ns;                 /* when the first of them ended */
	size_t added, missing;                 /* results with and without a series */
};

/* Adds the series of a result: groups with the same name and group number are added up. A result without a
   series is counted as missing. Returns 0 or -ENOMEM. */
int merge_series_add(struct merge_series *s, const struct result *r);
/* Moves the series into *r, with notes if it is not complete. If there was no moment at which all results
   ran, *r gets no series, because a sum over time would mean nothing. */
void merge_series_finish(struct merge_series *s, struct result *r);
void merge_series_fini(struct merge_series *s);

#endif
