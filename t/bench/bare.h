/* bare.h: the smallest loops that do the same I/O as a job and count it: what remains when the measuring tool
   is taken away. Each draws its offsets from fiord's own generator, with full coverage, and has its inputs
   registered, its requests filled and its buffers touched before it begins. */
#ifndef BARE_H
#define BARE_H

#include <stdbool.h>
#include <stdint.h>

struct offset_gen;

enum bare_engine { BARE_NULL, BARE_PSYNC, BARE_URING, BARE_AIO };

struct bare_job {
	enum bare_engine engine;
	const char *path;
	uint64_t bytes, ios; /* of the file; how many I/Os in all */
	uint32_t bs;
	unsigned depth;
	unsigned read_percent; /* 100: reads alone */
	unsigned wait;         /* io_uring: for so many completions at once; 0: for one */
	bool sequential, direct;
};

/* Runs it. 0 or -errno. */
int bare_run(const struct bare_job *j);

/* What the loops below share. */
struct bare {
	const struct bare_job *j;
	struct offset_gen *gen;
	struct mixer *mix;
	unsigned char *bufs; /* depth buffers of bs bytes, each aligned for direct I/O */
	int fd;
	uint64_t seq; /* writes so far */
};

int bare_null(struct bare *b);
int bare_psync(struct bare *b);
int bare_uring(struct bare *b);
int bare_aio(struct bare *b);

#endif
