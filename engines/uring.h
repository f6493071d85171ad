/* uring.h: what the two files of the io_uring engine share. */
#ifndef URING_H
#define URING_H

#include <liburing.h>
#include <stdbool.h>
#include <stdint.h>
#include "autoflag.h"
#include "cmdprio.h"
#include "done_queue.h"

struct engine_ctx;

struct uring_opts {
	bool hipri, sqthread_poll, uncached, nowait;
	int32_t fixedbufs, registerfiles; /* enum autoflag */
	int32_t nonvectored;              /* -1: as the kernel likes it best */
	int32_t sqthread_poll_cpu;        /* -1: any */
	uint32_t force_async;             /* every N; 0: never */
	struct cmdprio_opts cmdprio;
};

struct uring_state {
	struct io_uring ring;
	unsigned enter_flags; /* of every io_uring_enter */
	bool sqpoll;          /* a kernel thread submits */
	bool iopoll;          /* the kernel finds completions only by polling */
	bool fixed_files, fixed_bufs;
	bool reregister;     /* files were registered before they were closed */
	bool more;           /* an I/O's SQE takes more than fill_data gives it */
	uint8_t sqe_flags;   /* of every SQE */
	int bufs_err;        /* why the buffers could not be registered */
	unsigned per_region; /* buffers in one registered region */
	uint8_t opcode[2];   /* of reads and writes */
	uint32_t rwf[2];     /* likewise */
	struct iovec *iov;   /* by io->index; NULL: not vectored */
	unsigned in_ring;    /* taken and not yet seen complete */
	unsigned async_every, async_count;
	struct done_queue done; /* done inside submit */
};

/* Makes and maps the rings and registers what the user asked for or the kernel allows; ctx->info says what. 0
   or -errno with ctx->d filled; the state is then half-built, and uring_release takes it back. */
int uring_setup(struct engine_ctx *ctx, struct uring_state *s);
void uring_reopen(struct engine_ctx *ctx, bool open);
void uring_release(struct uring_state *s);

#endif
