/* read_log_job.h: the logs of one job -> the job and its part of the series. Private to the files
   read_log*.c. */
#ifndef READ_LOG_JOB_H
#define READ_LOG_JOB_H

#include "read_log_file.h"
#include "result.h"

/* The largest count. Sums of them fit 64 bits. */
#define LOG_COUNT_MAX ((uint64_t)1 << 60)

/* The logs of one prefix while they are read. */
struct logs {
	struct diag *d;
	struct read_log_file *file;
	size_t n;
	uint64_t base_ms, last_ms, len_ms; /* len_ms: of an interval of the series */
	struct series series;
	unsigned char *scratch;
	struct arena names;
};

/* The logs of a job. ios, bytes and lat point to those from which these figures come; NULL: no log has them.
 */
struct read_job_logs {
	struct read_log_file *of[LOG_KINDS];
	struct read_log_file *ios, *bytes, *lat;
	enum lat_kind kind; /* of lat */
	unsigned group;
	struct snapshot snap;
	uint64_t block_bytes; /* the size of each I/O; 0: unknown or several */
	bool several_sizes;
};

/* The size of logs.scratch. */
#define LOG_SCRATCH_BYTES IVAL_BYTES(2 * DIR_COUNT, 2 * DIR_COUNT)

/* Reads the files j->of[] and adds the job to the result, and its intervals to the series. Returns 0 or
   -errno with l->d. */
int read_job_logs(struct logs *l, struct read_job_logs *j, struct result *r, const char *name);

#endif
