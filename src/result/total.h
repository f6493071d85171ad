/* total.h: the figures that a report shows first: those of one job, or of several jobs together. */
#ifndef RESULT_TOTAL_H
#define RESULT_TOTAL_H

#include "result.h"

/* Returns the sum of n jobs, which ran at the same time: I/Os, bytes, errors and latencies add up, rates are
   over the longest run time. Percentiles are computed from the bins; without bins of all jobs the sum has
   none. A single job is copied. If some of the jobs are mixed, the sum is, too. The memory is that of `mem`;
   NULL when memory is short. */
struct result_job *total_sum(struct arena *mem, const struct result_job *const *job, size_t n);

/* Returns a copy of the job with the sum of all directions in DIR_READ; NULL when memory is short. */
struct result_job *total_mixed(struct arena *mem, const struct result_job *job);

/* Returns the jobs of the group `number` in out[], which has room for all jobs. */
size_t total_jobs(const struct result *r, unsigned number, const struct result_job **out);

/* The sums of a group for its row of totals. */
struct total_row {
	const struct result_job *sum;    /* of the jobs, in its directions */
	const struct summary_dir *mixed; /* of all directions */
	double iops[DIR_DATA];           /* of each direction, over the time of `mixed`: they add up */
	unsigned jobs, dirs;             /* dirs: with I/Os */
};
/* Fills in the sums; row->sum is NULL if the group has a single job with a single direction, or if an entry
   of the report has them (total_of_hosts). Returns 0 or -ENOMEM. */
int total_of_group(struct total_row *row, struct arena *mem, const struct result *r, unsigned number);

/* Returns the entry of all hosts together, over all groups, of a result of several hosts; NULL if it has
 * none. */
const struct result_job *total_of_hosts(const struct result *r);

/* Returns the kind of latency that a report shows first: the response time if all I/Os had a rate, as on
   the screen of --eta=full, else that of total_service_kind. */
enum lat_kind total_lat_kind(const struct result_job *job, unsigned dir);
/* Returns the latency since the submission: lat if it has percentiles (lat_percentiles), else clat, or the
   one that was measured in its place; LAT_KINDS if the direction has none. */
enum lat_kind total_service_kind(const struct result_job *job, unsigned dir);

/* Returns true if the direction has anything to report. Log files may know bytes or latencies alone. */
bool total_has_dir(const struct result_job *job, unsigned dir);
/* Returns true if the direction has bytes or latencies: log files may know these alone. */
bool total_has_sums(const struct summary_dir *d);
/* Returns false if the direction has bytes or latencies, but its number of I/Os is not in the data. */
bool total_ios_known(const struct result_job *job, unsigned dir);

/* Finds a percentile in the bins, or without bins in the job's list. Returns false if neither has it. */
bool total_percentile(const struct result_job *job, unsigned dir, enum lat_kind kind, double percent,
		      uint64_t *ns);

/* The same for one of the job's latencies, such as that of its syncs, and its bins. */
bool total_percentile_of(const struct result_job *job, const struct summary_lat *l,
			 const struct result_bins *bins, double percent, uint64_t *ns);

/* Returns how many I/Os are needed so that one of them is expected above this percentile. */
uint64_t total_samples_needed(double percent);

/* Returns the value of an option as the user gave it to the job or to all jobs; NULL if it was not given. */
const char *total_option(const struct result *r, const struct result_job *job, const char *name);

#endif
