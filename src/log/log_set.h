/* log_set.h: the log files of a plan: which there are, and whose lines go where. What the parent and the
   writer of logs both know. */
#ifndef LOG_SET_H
#define LOG_SET_H

#include "log_file.h"
#include "log_line.h"
#include "plan.h"

/* One worker's. */
struct job_logs {
	struct log_file *file[LOG_KINDS]; /* NULL: none */
	struct log_line_form form;
	bool epoch;
	uint64_t shift_ns; /* from clock_ns() to the clock of the times */
};

struct log_set {
	struct log_file *file; /* each once */
	uint32_t nfiles;
	struct job_logs *job; /* by plan_job.index */
};

/* False when memory is short. */
bool log_set_init(struct log_set *l, const struct plan *p);
void log_set_fini(struct log_set *l);
bool log_set_wanted(const struct plan *p);
/* When the run begins: what the clocks show. */
void log_set_clocks(struct log_set *l, const struct plan *p);

/* A time of a worker whose phase began at start_ns, as its logs tell it. */
static inline uint64_t log_set_time_ms(const struct job_logs *j, uint64_t start_ns, uint64_t ns)
{
	uint64_t since = ns > start_ns ? ns - start_ns : 0;

	return (j->epoch ? ns + j->shift_ns : since) / 1000000;
}

/* A line as its file has it, at `to`, which has LOG_LINE_MAX bytes; returns how many it has. */
static inline size_t log_set_line(char *to, const struct job_logs *j, const struct log_file *f,
				  const struct log_line *line)
{
	return f->format == LOG_FILE_ZLIB ? log_line_binary(to, &j->form, line)
					  : log_line_text(to, &j->form, line);
}

#endif
