/* uring.h: options and state that the two files of the io_uring engine share. */
#ifndef URING_H
#define URING_H

#include <liburing.h>
#include <linux/ioctl.h>
#include <stdbool.h>
#include <stdint.h>
#include "engine_parts.h"
#include "cmdprio.h"

/* The headers of some systems are older than their kernel. */
#ifndef BLOCK_URING_CMD_DISCARD
#define BLOCK_URING_CMD_DISCARD _IO(0x12, 0)
#endif

struct engine_ctx;

struct uring_opts {
	bool hipri, sqthread_poll, uncached, nowait;
	int32_t fixedbufs, registerfiles; /* enum autoflag */
	int32_t nonvectored;              /* -1: whichever is faster with this kernel */
	int32_t sqthread_poll_cpu;        /* -1: any */
	uint32_t force_async;             /* every N; 0: never */
	struct cmdprio_opts cmdprio;
};

struct uring_state {
	struct io_uring ring;
	unsigned enter_flags; /* flags of every io_uring_enter */
	bool sqpoll;          /* a kernel thread submits */
	bool iopoll;          /* the kernel finds completions only by polling */
	bool fixed_files, fixed_bufs;
	bool queued_trims;
	bool reregister;     /* files were registered before they were closed, and will be again */
	bool more;           /* SQEs need more fields than fill_data sets */
	uint8_t sqe_flags;   /* flags of every SQE */
	int bufs_err;        /* -errno of the registration of buffers */
	unsigned per_region; /* buffers in one registered region */
	uint8_t opcode[2];   /* for reads and writes */
	uint32_t rwf[2];     /* RWF_* flags of reads and writes */
	struct iovec *iov;   /* by io->index; NULL: not vectored */
	unsigned in_ring;    /* submitted to the ring and not yet seen complete */
	unsigned async_every, async_count;
	struct done_queue done; /* I/Os completed inside submit */
};

/* Creates and maps the rings and registers what the user requested or the kernel allows; ctx->info
   describes the result. Returns 0, or -errno with ctx->d filled; uring_release also frees a half-built
   state. */
int uring_setup(struct engine_ctx *ctx, struct uring_state *s);
void uring_reopen(struct engine_ctx *ctx, bool open);
void uring_release(struct uring_state *s);
/* Asks the kernel with a trim of 0 bytes. See queues_trims in engine.h. */
bool uring_queues_trims(const void *opts, int fd);

#endif
