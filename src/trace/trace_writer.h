/* trace_writer.h: events in order of time -> a trace that fiord and fio read: records of blktrace if the
   events come from blktrace or blkparse, otherwise an iolog of version 3. All events become queued ones, and
   the times of an iolog are rounded down to microseconds. */
#ifndef TRACE_WRITER_H
#define TRACE_WRITER_H

#include "trace.h"

struct trace_writer {
	bool records;      /* of blktrace */
	uint32_t sequence; /* of the last record */
	size_t opened;     /* devices below this index are open in the iolog */
};

/* Adds the beginning of the trace. */
void trace_writer_begin(struct trace_writer *w, const struct trace *t, struct strbuf *b);
/* Adds an event of t; file operations are left out, because the writer makes its own. Returns 0 or -errno
   with d. */
int trace_writer_add(struct trace_writer *w, const struct trace *t, const struct trace_event *e,
		     struct strbuf *b, struct diag *d);

#endif
