/* log_writer.h: the process that writes logs. It takes what the workers have put into their rings, and lines
   of intervals, which the parent sends through a pipe. A process, because a write may hang in the kernel:
   that must not hold up the result. */
#ifndef LOG_WRITER_H
#define LOG_WRITER_H

#include "bw_log.h"
#include "log_set.h"
#include "run.h"

/* Before the lines in the pipe. */
struct log_writer_head {
	uint32_t file; /* of the set */
	uint32_t len;
};

/* In memory that both share. */
struct log_writer_state {
	_Atomic uint32_t stop; /* by the parent: no worker is left, and nothing more comes through the pipe */
	_Atomic uint32_t stopped; /* by the writer: all is written */
	int error[];              /* then: of each file of the set, and those of --bandwidth-log */
};

struct log_writer {
	const struct plan *plan;
	const struct run *run;
	struct log_set *set;
	struct bw_log *bw; /* NULL: none */
	struct log_writer_state *state;
	int pipe[2];
	char *text;       /* LOG_WRITER_TEXT bytes */
	struct strbuf in; /* of the pipe, not whole yet */
};

#define LOG_WRITER_SPAN 1024 /* records that are written at once */
#define LOG_WRITER_TEXT (LOG_WRITER_SPAN * LOG_LINE_MAX)

/* In the child: until it is told to stop. */
void log_writer_main(void *writer);

#endif
