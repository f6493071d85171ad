/* engine_corrupt.h: an engine that does real I/O, logs each I/O, and flips a byte of chosen writes in the
 * file. */
#ifndef ENGINE_CORRUPT_H
#define ENGINE_CORRUPT_H

#include "engine.h"

#define CORRUPT_IOS 8192

struct corrupt_io {
	uint64_t offset;
	enum io_dir dir;
};

/* In memory that the worker shares with the test. */
struct corrupt_log {
	unsigned n, writes, damaged;
	struct corrupt_io io[CORRUPT_IOS]; /* in the order of completion */
};

/* The test sets these before the run. */
struct corrupt_plan {
	unsigned at;   /* damages this write, from 1; 0: none */
	unsigned fail; /* this write fails with EIO, from 1; 0: none */
	struct corrupt_log *log;
};
extern struct corrupt_plan corrupt_plan;
extern const struct engine engine_corrupt;

#endif
