/* log_writer.h: the process that writes logs. It takes records from the workers' rings, and lines of windowed
   logs from the parent through a pipe. It is a process of its own because a write may hang in the kernel,
   which must not delay the result. */
#ifndef LOG_WRITER_H
#define LOG_WRITER_H

#include "bw_log.h"
#include "log_set.h"
#include "run.h"

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
	char *text;          /* LOG_WRITER_TEXT bytes */
	struct strbuf input; /* incomplete lines from the pipe */
};

#define LOG_WRITER_SPAN 1024 /* records that are formatted at once */
#define LOG_WRITER_TEXT (LOG_WRITER_SPAN * LOG_LINE_MAX)

/* Runs in the child until state->stop is set and all lines are written. */
void log_writer_main(void *writer);

#endif
