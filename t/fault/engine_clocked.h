/* engine_clocked.h: an engine that takes its time in earnest, and writes down by a clock of its own
   (CLOCK_MONOTONIC_RAW) when it was called and when it returned. Between two calls lies whatever the core
   does, its stamps too: so between which times each stamp was taken is known whatever else the machine does.
 */
#ifndef ENGINE_CLOCKED_H
#define ENGINE_CLOCKED_H

#include "engine.h"

/* A stretch of time between two calls: the core was at work, and took a stamp. */
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

/* Set before the run. */
struct clocked_plan {
	uint64_t submit_ns;      /* what one submission takes of the CPU */
	struct clocked_log *log; /* in memory that workers share */
};
extern struct clocked_plan clocked_plan;
extern const struct engine engine_clocked;
/* Done when submit returns. */
extern const struct engine engine_clocked_sync;

uint64_t clocked_now(void);

#endif
