/* replay.h: the traces that jobs replay (read_iolog): what resolve found in them, and how an event of the
   trace becomes an I/O. */
#ifndef REPLAY_H
#define REPLAY_H

#include <stdbool.h>
#include "options.h"
#include "trace.h"

/* What the first pass over a trace found. job_set.arena owns it. */
struct replay_facts {
	struct trace_source source; /* for the passes of the workers */
	uint64_t ios, bytes;        /* that are replayed */
	uint64_t end_ns;            /* the time of the last one */
	bool timed;                 /* the trace has times */
	/* By number of the target: where the I/O with the largest address ends. With replay_redirect all I/Os
	   have target 0; otherwise it is the device of the trace. */
	const uint64_t *end;
	uint32_t targets;
};

/* Turns an event of the trace into the I/O to replay, whose device is the number of its target. Returns false
   if it is not replayed. */
static inline bool replay_event(const struct replay_cfg *c, struct trace_event *e)
{
	if (e->op >= TRACE_IO_OPS || c->skip_ops & 1u << e->op)
		return false;
	if (c->redirect)
		e->device = 0;
	if (c->scale > 1)
		e->offset /= c->scale;
	if (c->align)
		e->offset -= e->offset % c->align;
	return true;
}

#endif
