/* log_set.h: the log files of a plan, and which worker writes to which file. The parent and the log writer
   both use it. */
#ifndef LOG_SET_H
#define LOG_SET_H

#include "log_file.h"
#include "log_line.h"
#include "plan.h"

/* The logs of one worker. */
struct job_logs {
	struct log_file *file[LOG_KINDS]; /* by enum log_kind; NULL: none */
	struct log_line_form form;
	bool epoch;        /* times of the log's clock, not since the start */
	uint64_t shift_ns; /* add to clock_ns() for that clock */
};

struct log_set {
	struct log_file *file; /* each path once */
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

#endif
