/* engine_fault.h: an engine that does no I/O and fails on request, to test what the core survives. */
#ifndef ENGINE_FAULT_H
#define ENGINE_FAULT_H

#include "engine.h"

#define FAULT_BLOCK  4096
#define FAULT_BLOCKS 1024

/* The test sets these before the run; the workers are forked afterwards and read them. 0: never. */
struct fault_plan {
	unsigned fail_at; /* the n-th completion comes back with `error` */
	int error;
	unsigned short_every;              /* every n-th completion moves only half */
	unsigned again_every;              /* every n-th completion is -EINTR */
	unsigned zero_at;                  /* the n-th completion moves nothing */
	unsigned refuse_every;             /* every n-th submit takes nothing */
	unsigned interrupt_every;          /* every n-th reap returns nothing, as after a signal */
	unsigned partial;                  /* submit takes at most so many */
	unsigned break_submit, break_reap; /* the n-th call returns -EIO */
	bool fail_init, die_at_init;
	unsigned stall_at; /* the n-th reap takes stall_ns */
	uint64_t stall_ns;
	unsigned die_at; /* the worker kills itself at the n-th submit */
	bool trim_first; /* a write fails with EILSEQ unless its block was trimmed before; trims may fail */
};
extern struct fault_plan fault_plan;
extern const struct engine engine_fault;

#endif
