/* replay.h: the traces that jobs replay (read_iolog): what resolve found in them, and how an event of the
   trace becomes an I/O. */
#ifndef REPLAY_H
#define REPLAY_H

#include <stdbool.h>
#include "extents.h"
#include "options.h"
#include "trace.h"

#define REPLAY_LEFT_OUT UINT32_MAX

/* The I/O of a target that is aligned least: offset and length are multiples of `unit`, a power of two. */
struct replay_unaligned {
	uint64_t unit, offset, length; /* unit 0: the target has syncs only */
	const char *place;
};

/* What the first pass over a trace found. job_set.arena owns it. */
struct replay_facts {
	struct trace_source source; /* for the passes of the workers */
	uint64_t ios, bytes;        /* that are replayed */
	uint64_t of_op[TRACE_IO_OPS];
	uint64_t end_ns;             /* the time of the last one */
	uint64_t skipped, no_target; /* left out: by replay_skip, and of devices without a target */
	bool timed;                  /* the trace has times */
	/* By number of the device in the trace: 1 + its target; 0: it has no I/O that is replayed;
	   REPLAY_LEFT_OUT. */
	const uint32_t *target;
	/* By number of the target: where the I/O with the largest address ends, and whether the user named it
	   (replay_redirect, replay_map, filename, directory) or only the trace did. */
	const uint64_t *end;
	const bool *named;
	const char *const *end_place; /* where in the trace this I/O stands: "FILE:LINE" */
	const char *trim_place;       /* where the largest trim stands; "": there is none */
	const struct replay_unaligned *unaligned;
	const char *const *devices; /* their devices: "8,0, 8,16" */
	uint32_t targets;
	/* By number of the target, for replay_address=compact; NULL: none, or the first pass goes on. */
	const struct compact_map *compact;
};

/* A pass over the trace. The other members are zero when it begins. */
struct replay_pass {
	const struct replay_cfg *cfg;
	const struct replay_facts *facts;
	uint64_t last_ns; /* the time of the I/O before, without the window's start */
	uint64_t cut_ns;  /* how much of the gaps so far is left out */
};

/* Returns whether the options leave this operation out. */
static inline bool replay_skips(const struct replay_cfg *c, const struct trace_event *e)
{
	return e->op >= TRACE_IO_OPS || c->skip_ops & 1u << e->op;
}

/* Turns the next event of the trace into the I/O to replay: its device is the number of its target
   (REPLAY_LEFT_OUT: the first pass did not see the device), its time counts from the start of the replay.
   Returns false if it is not replayed. */
bool replay_event(struct replay_pass *p, struct trace_event *e);
/* Returns where an I/O goes that lies below `end` of a target of this many bytes: for replay_address=wrap and
   fit. It stays in place if the target ends where the trace does. */
uint64_t replay_offset(const struct replay_cfg *c, const struct trace_event *e, uint64_t end, uint64_t bytes);
/* Returns the bytes of a target of this size that they use: whole blocks, if it has one. */
uint64_t replay_usable(uint64_t bytes);

#endif
