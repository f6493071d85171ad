/* read_parts.h: the parts of a document, one function for each. Private to the files read*.c. */
#ifndef READ_PARTS_H
#define READ_PARTS_H

#include "figures.h"
#include "read_value.h"

/* Reads a document into rd->r, which is empty. */
void read_document(struct reader *rd, struct json v);
/* Adds the entry of a job, jobs[index] or client_stats[index]. */
void read_job(struct reader *rd, struct json v, const char *array, size_t index);
/* Returns the members of an object as options, in scratch memory. */
const struct result_opt *read_options(struct reader *rd, const struct read_object *o, const char *key,
				      size_t *n);
/* Returns the options of an element of the array `key`, without the name and the port of the host that fio
   lists among them. */
const struct result_opt *read_host_options(struct reader *rd, struct json host, const char *key, size_t *n);
/* Reads the rows of figures.h from an open object into the struct `to`. A text that every document has is ""
   if this one lacks it. */
void read_figures(struct reader *rd, const struct read_object *o, const struct figure *rows, void *to);
/* The same if the object is inside of some of the rows' own, "fiord.". */
void read_figures_in(struct reader *rd, const struct read_object *o, const char *object,
		     const struct figure *rows, void *to);
/* Reads the notes of an entry, or of the result if job is NULL. */
void read_notes(struct reader *rd, const struct read_object *fiord, struct result_job *job);
/* Reads jobs[].fiord.counts. */
void read_counts(struct reader *rd, const struct read_object *fiord, struct result_job *j);
/* Reads jobs[].fiord.rate_steps. */
void read_rate_steps(struct reader *rd, const struct read_object *fiord, struct result_job *j);
/* Computes the counts from the figures and bins of a job. */
void estimate_counts(struct result_job *j);
/* Returns whether n values from min to max can have this sum. */
bool read_sum_fits(uint64_t n, uint64_t min, uint64_t max, uint64_t sum);
/* A histogram while it is read. */
struct read_hist {
	struct hist *hist;
	uint64_t total, most;             /* the sum of its counts, and the limit of the sum */
	const char *bins_key, *steps_key; /* for errors */
};
/* Adds bins, or the steps of a page, to the histogram. */
void read_hist(struct reader *rd, struct json_iter it, bool steps, struct read_hist *to);
/* Reads the bins of a latency into scratch memory. */
void read_bins(struct reader *rd, const struct read_object *lat, struct result_bins *bins);
uint64_t bins_total(const struct result_bins *bins);
/* Reads the percentiles of a latency, by the job's list. */
void read_percentiles(struct reader *rd, const struct read_object *lat, struct summary_lat *to);
/* Reads one kind of latency. bins may be NULL. Leaves out bins that do not add up to the number of I/Os, with
   a note. */
void read_lat(struct reader *rd, const struct read_object *in, const char *key, struct result_job *j,
	      struct summary_lat *to, struct result_bins *bins);
/* Reads a number of up to 39 digits in a string. */
void read_u128(struct reader *rd, const struct read_object *o, const char *key, uint64_t *hi, uint64_t *lo);
/* Adds the files to a job of the result. */
void read_files(struct reader *rd, const struct read_object *fiord, struct result_job *j);
/* Reads plan, environment, clock and targets. */
void read_environment(struct reader *rd, const struct read_object *fiord);
void read_series(struct reader *rd, const struct read_object *fiord);

/* All data of a page together. Pages of fiord have a few MiB; a small page could unpack to any size. */
#define PAGE_UNPACKED_MAX ((size_t)128 << 20)

/* An HTML page while its data are read. */
struct page {
	const char *name;
	const char *at, *end; /* the part that has not been searched */
	size_t unpacked;      /* bytes of the data so far */
};

/* Finds the next data of the page and stores them in *text, which the caller frees. Returns 1; 0 if there are
   no more; or -errno with one line in d. */
int read_page(struct page *page, char **text, size_t *len, struct diag *d);

#endif
