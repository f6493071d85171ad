/* bare_uring.c: a loop on io_uring in its fastest mode: a single issuer with deferred task work,
   registered ring, file and buffers, requests filled once, and one system call that submits and waits. */
#include <errno.h>
#include <liburing.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include "bare_draw.h"

static int make_ring(struct io_uring *ring, const struct bare_job *j)
{
	static const unsigned modes[] = { IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
					  IORING_SETUP_COOP_TASKRUN, 0 };
	int ret = -EINVAL;

	for (unsigned i = 0; ret == -EINVAL && i < sizeof(modes) / sizeof(*modes); i++)
		ret = io_uring_queue_init(j->depth, ring, modes[i] | (j->polled ? IORING_SETUP_IOPOLL : 0));
	return ret;
}

static int register_all(const struct bare *b, struct io_uring *ring)
{
	struct iovec iov = { b->bufs, (size_t)b->j->depth * b->j->bs };
	int ret = io_uring_register_files(ring, &b->fd, 1);

	return ret ? ret : io_uring_register_buffers(ring, &iov, 1);
}

static void prepare(const struct bare *b, struct io_uring *ring)
{
	for (unsigned i = 0; i < b->j->depth; i++) {
		struct io_uring_sqe *sqe = &ring->sq.sqes[i];

		memset(sqe, 0, sizeof(*sqe));
		sqe->opcode = b->j->read_percent ? IORING_OP_READ_FIXED : IORING_OP_WRITE_FIXED;
		sqe->flags = IOSQE_FIXED_FILE;
		sqe->addr = (uintptr_t)(b->bufs + (size_t)i * b->j->bs);
		sqe->len = b->j->bs;
		sqe->user_data = i;
	}
}

/* Draws and queues the requests of these slots. */
static void queue(struct bare *b, struct io_uring_sq *sq, const unsigned *slots, unsigned n)
{
	unsigned tail = *sq->ktail, mask = *sq->kring_mask;
	enum io_dir dir = b->j->read_percent ? DIR_READ : DIR_WRITE;

	for (unsigned i = 0; i < n; i++) {
		struct io_uring_sqe *sqe = &sq->sqes[slots[i]];

		sqe->off = bare_offset(b, dir);
		if (dir == DIR_WRITE)
			bare_touch(b, b->bufs + (size_t)slots[i] * b->j->bs, sqe->off);
		sq->array[(tail + i) & mask] = slots[i];
	}
	io_uring_smp_store_release(sq->ktail, tail + n);
}

/* Collects the slots that have completed; returns their number or -errno. */
static int reap(const struct bare *b, struct io_uring_cq *cq, unsigned *slots)
{
	unsigned head = *cq->khead, tail = io_uring_smp_load_acquire(cq->ktail), mask = *cq->kring_mask;
	unsigned n = tail - head;

	for (unsigned i = 0; i < n; i++) {
		const struct io_uring_cqe *cqe = &cq->cqes[(head + i) & mask];

		if (cqe->res != (int)b->j->bs)
			return cqe->res < 0 ? cqe->res : -EIO;
		slots[i] = (unsigned)cqe->user_data;
	}
	io_uring_smp_store_release(cq->khead, tail);
	return (int)n;
}

static int loop(struct bare *b, struct io_uring *ring, unsigned *slots, unsigned flags)
{
	uint64_t left = b->j->ios;
	unsigned n = b->j->depth, busy = 0, wait = b->j->wait ? b->j->wait : 1;

	for (unsigned i = 0; i < n; i++)
		slots[i] = i;
	while (left || busy) {
		int ret;

		if (n > left)
			n = (unsigned)left;
		queue(b, &ring->sq, slots, n);
		left -= n;
		busy += n;
		ret = io_uring_enter2((unsigned)ring->enter_ring_fd, n, wait < busy ? wait : busy, flags,
				      NULL, 0);
		if (ret != (int)n)
			return ret < 0 ? ret : -EIO;
		ret = reap(b, &ring->cq, slots);
		if (ret < 0)
			return ret;
		n = (unsigned)ret;
		busy -= n;
	}
	return 0;
}

int bare_uring(struct bare *b)
{
	unsigned *slots = calloc(b->j->depth, sizeof(*slots)), flags = IORING_ENTER_GETEVENTS;
	struct io_uring ring;
	int ret = slots ? make_ring(&ring, b->j) : -ENOMEM;

	if (ret)
		return ret;
	if (io_uring_register_ring_fd(&ring) == 1)
		flags |= IORING_ENTER_REGISTERED_RING;
	ret = register_all(b, &ring);
	if (ret)
		return ret;
	prepare(b, &ring);
	return loop(b, &ring, slots, flags);
}
