/* read_log_file.h: the lines of one log file. Private to the files read_log*.c. */
#ifndef READ_LOG_FILE_H
#define READ_LOG_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "diag.h"
#include "hist.h"

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

#endif
