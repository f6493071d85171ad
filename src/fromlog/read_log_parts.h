/* read_log_parts.h: the parts of read_logs.c. Private to the files read_log*.c. */
#ifndef READ_LOG_PARTS_H
#define READ_LOG_PARTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "diag.h"
#include "result.h"

/* read_log_file.c: the lines of one log file. */

enum log_kind { LOG_BW, LOG_IOPS, LOG_SLAT, LOG_CLAT, LOG_LAT, LOG_HIST, LOG_KINDS };

/* The parts of a log's name. */
struct log_name {
	size_t prefix_len; /* with its directory */
	enum log_kind kind;
	unsigned number;  /* of the job; 1 where the name has none */
	const char *host; /* the end of the path, if the log is that of a host of several; else "" */
};
/* Returns false if the path is not that of a log. */
bool log_name(struct log_name *n, const char *path);

struct read_log_file {
	const char *path;
	FILE *file;
	struct log_name name;
	char *line;      /* LOG_LINE_BYTES */
	uint64_t number; /* of the line */
	/* Found by log_scan. */
	bool each_io;   /* a line for each I/O; otherwise a line for each window */
	bool max;       /* the third column is the window's maximum */
	unsigned shift; /* of a histogram: a column is 2^shift buckets */
	uint64_t lines, first_ms, last_ms;
	uint64_t window_ms;   /* the shortest time between two lines of a direction; 0: unknown */
	uint64_t interval_ms; /* the median of these times; 0: unknown */
};

#define LOG_LINE_BYTES (1u << 16)

struct log_entry {
	uint64_t time_ms, value, max, bytes;
	unsigned dir;
	const char *counts; /* of a histogram: the text of its columns, for log_next_count */
};

/* Reads the whole file and describes it. Returns 0 or -errno with one line in d. */
int log_scan(struct read_log_file *f, struct diag *d);
/* Goes back to the first line. */
int log_rewind(struct read_log_file *f, struct diag *d);
/* Reads the next line. Returns 1; 0 at the end of the file; or -errno with one line in d. */
int log_next(struct read_log_file *f, struct log_entry *e, struct diag *d);
/* Reads the next count of a histogram line, which log_next has checked. Returns false after the last one. */
bool log_next_count(struct log_entry *e, uint64_t *count);

/* read_log_job.c: the logs of one job -> the job and its part of the series. */

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
