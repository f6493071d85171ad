/* bare.h: the smallest loops that do the same I/O as a job and count it: what remains when the measuring tool
   is taken away. Each draws its offsets from fiord's own generator, with full coverage, and has its inputs
   registered, its requests filled and its buffers touched before it begins. */
#ifndef BARE_H
#define BARE_H

#include <stdbool.h>
#include <stdint.h>

struct offset_gen;

enum bare_engine { BARE_NULL, BARE_PSYNC, BARE_PVSYNC2, BARE_MMAP, BARE_URING, BARE_AIO };

struct bare_job {
	enum bare_engine engine;
	const char *path;
	uint64_t bytes, ios; /* size of the file; number of I/Os */
	uint32_t bs;
	unsigned depth;
	unsigned read_percent; /* 100: only reads */
	unsigned wait;         /* io_uring: completions to wait for at once; 0: one */
	bool sequential, direct;
	bool device;  /* path is a block device that is only read, the bench's --device */
	bool polled;  /* io_uring: polls the device for completions */
	bool stamped; /* mmap: reads the clock after each copy */
};

/* Runs the loop. Returns 0 or -errno. */
int bare_run(const struct bare_job *j);

/* State that the loops share. */
struct bare {
	const struct bare_job *j;
	struct offset_gen *gen;
	struct mixer *mix;
	unsigned char *bufs; /* depth buffers of bs bytes, each aligned for direct I/O */
	int fd;
	uint64_t seq;            /* number of writes so far */
	volatile uint64_t stamp; /* when the last copy ended, if the job is stamped */
};

int bare_null(struct bare *b);
int bare_psync(struct bare *b);
int bare_pvsync2(struct bare *b); /* reads */
int bare_mmap(struct bare *b);    /* reads */
int bare_uring(struct bare *b);
int bare_aio(struct bare *b);

#endif
