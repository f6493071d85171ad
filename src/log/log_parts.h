/* log_parts.h: the parts of logs.c: log files, the set of them, and the process that writes them. Private to
   src/log. */
#ifndef LOG_PARTS_H
#define LOG_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include "log_line.h"
#include "plan.h"
#include "run.h"
#include "strbuf.h"
#include "interval.h"
#include "options.h"

struct bw_log;

/* log_file.c: one log file: opened, appended to, and optionally compressed in chunks. */

enum log_file_format {
	LOG_FILE_TEXT,
	LOG_FILE_ZLIB, /* binary records, each chunk a zlib stream of its own, as in fio */
	LOG_FILE_GZIP, /* compressed text */
};

struct log_file {
	const char *path; /* the caller owns it */
	enum log_file_format format;
	size_t chunk_bytes; /* compressed at once */
	bool iolog;         /* of write_iolog: jobs share the file */
	int fd;
	int error;   /* the first -errno; after an error nothing is written any more */
	char *chunk; /* NULL for text */
	size_t n;    /* bytes in `chunk` */
};

/* Creates the file or empties it. Returns 0 or f->error. */
int log_file_open(struct log_file *f);
void log_file_add(struct log_file *f, const char *text, size_t n);
/* Writes the last chunk and closes the file. */
void log_file_close(struct log_file *f);

/* log_set.c: the log files of a plan, and which worker writes to which file. The parent and the log writer
   both use it. */

/* The logs of one worker. */
struct job_logs {
	struct log_file *file[LOG_KINDS]; /* by enum log_kind; NULL: none */
	struct log_line_form form;
	bool epoch;        /* times of the log's clock, not since the start */
	uint64_t shift_ns; /* add to clock_ns() for that clock */
};

struct log_set {
	struct log_file *files; /* each path once */
	uint32_t nfiles;
	struct job_logs *job; /* by plan_job.index */
};

/* Returns false if memory is short. */
bool log_set_init(struct log_set *l, const struct plan *p);
void log_set_fini(struct log_set *l);
/* Returns whether the plan has any log. */
bool log_set_wanted(const struct plan *p);
/* Reads the clocks; call it when the run begins. */
void log_set_clocks(struct log_set *l, const struct plan *p);

/* Converts ns, a time of clock_ns(), to the time in the logs of a worker whose measurement began at start_ns.
 */
static inline uint64_t log_set_time_ms(const struct job_logs *j, uint64_t start_ns, uint64_t ns)
{
	uint64_t since = ns > start_ns ? ns - start_ns : 0;

	return (j->epoch ? ns + j->shift_ns : since) / 1000000;
}

/* Writes the line in the format of its file to `to`, which has LOG_LINE_MAX bytes. Returns its length. */
static inline size_t log_set_line(char *to, const struct job_logs *j, const struct log_file *f,
				  const struct log_line *line)
{
	return f->format == LOG_FILE_ZLIB ? log_line_binary(to, &j->form, line)
					  : log_line_text(to, &j->form, line);
}

/* bw_log.c: --bandwidth-log: the bandwidth of the whole run in each direction, twice a second. */

struct bw_log *bw_log_new(const struct plan *p); /* Returns NULL if memory is short */
void bw_log_open(struct bw_log *b);              /* accepts NULL, as do bw_log_close and bw_log_free */
void bw_log_close(struct bw_log *b);
/* Takes a sample if one is due; last: also of an unfinished interval. Returns when to call again, `until` at
   the latest. */
uint64_t bw_log_sample(struct bw_log *b, const struct run *r, bool last, uint64_t until);
const struct log_file *bw_log_file(const struct bw_log *b, unsigned dir);
void bw_log_free(struct bw_log *b);

/* log_writer.c: the process that writes logs. It takes records from the workers' rings, and lines of windowed
   logs from the parent through a pipe. It is a process of its own because a write may hang in the kernel,
   which must not delay the result. */

/* The head of lines in the pipe. */
struct log_writer_head {
	uint32_t file; /* index in log_set.file */
	uint32_t len;  /* bytes of lines that follow */
};

/* Shared memory of parent and writer. */
struct log_writer_state {
	_Atomic uint32_t stop;    /* set by the parent: all workers have ended, and the pipe is closed */
	_Atomic uint32_t stopped; /* set by the writer: all lines are written */
	int error[]; /* valid then: of each file of the set, and of each direction of --bandwidth-log */
};

struct log_writer {
	const struct plan *plan;
	const struct run *run;
	struct log_set *set;
	struct bw_log *bw_log; /* NULL: none */
	struct log_writer_state *state;
	int pipe[2];
	char *text;           /* LOG_WRITER_TEXT bytes */
	struct strbuf input;  /* incomplete lines from the pipe */
	struct iolog *iologs; /* of write_iolog; an entry without a file ends them */
};

#define LOG_WRITER_SPAN 1024 /* records that are formatted at once */
#define LOG_WRITER_TEXT (LOG_WRITER_SPAN * LOG_LINE_MAX)

/* Runs in the child until state->stop is set and all lines are written. */
void log_writer_main(void *writer);

/* iolog_writer.c: the lines of write_iolog. The log writer calls these. */

/* Writes the first lines of each iolog, once the files are open. Returns false if memory is short. */
bool iologs_begin(struct log_writer *l);
/* Writes the records of all workers; last: no worker runs any more. */
void iologs_drain(struct log_writer *l, bool last);
void iologs_free(struct log_writer *l);

/* log_window.c: makes lines of windowed logs (log_avg_msec) from a worker's intervals. Pure. */

/* Returns when the interval ends, in ns since the start of the phase. */
uint64_t log_window_end_ns(const struct ival *rec, uint64_t len_ns);
/* Returns whether the interval is the end of a run and too short for a line of its own, which could have the
   time of the line before and the value of a few I/Os. */
bool log_window_is_short(const struct ival *rec, uint64_t len_ns);
/* Adds an interval to the one before it, so that both share one line. It does not add histograms. */
void log_window_add(struct ival *to, const struct ival *from, uint64_t len_ns);
/* Fills in the line of one log for one direction, except for its time. False: there was no I/O. */
bool log_window_line(const struct ival *rec, uint64_t len_ns, enum log_kind kind, unsigned dir,
		     enum log_window window, struct log_line *line);
/* Counts the completion latencies of a direction in fio's buckets. Longer ones count in the last bucket.
   False: there was no I/O. */
bool log_window_hist(const struct ival *rec, unsigned dir, uint64_t count[HIST_FIO_BUCKETS]);

#endif
