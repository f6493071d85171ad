/* engine_clocked.h: an engine that takes real time and records, by its own clock (CLOCK_MONOTONIC_RAW), when
   each call began and returned. The core works only between two calls, so the record bounds the time of each
   of its stamps, however busy the machine is. */
#ifndef ENGINE_CLOCKED_H
#define ENGINE_CLOCKED_H

#include "engine.h"

/* The time between two calls, in which the core took a stamp. */
struct clocked_gap {
	uint64_t from_ns, to_ns;
};

/* One I/O, in the order of submission. */
struct clocked_io {
	struct clocked_gap start, issue, done; /* before and after the submit, after the reap */
	unsigned n;                            /* I/Os of the call that submitted it */
};
#define CLOCKED_IOS 4096
struct clocked_log {
	uint32_t n;
	struct clocked_io io[CLOCKED_IOS];
};

/* The test sets these before the run. */
struct clocked_plan {
	uint64_t submit_ns;      /* CPU time of one submission */
	struct clocked_log *log; /* in memory that workers share */
};
extern struct clocked_plan clocked_plan;
extern const struct engine engine_clocked;
/* A variant whose I/Os are done when submit returns. */
extern const struct engine engine_clocked_sync;

uint64_t clocked_now(void);

#endif
