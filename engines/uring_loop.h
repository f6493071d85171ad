/* uring_loop.h: submit and reap of the engines that have a ring, io_uring and io_uring_cmd. Each I/O has an
   SQE of its own, that of io->index, so an I/O writes one cache line or two and copies nothing; liburing's
   management of SQEs is not used. The engines differ in how they fill an SQE and read a CQE. Everything is
   inlined, so each engine has a loop without indirect calls. */
#ifndef URING_LOOP_H
#define URING_LOOP_H

#include <errno.h>
#include "clock.h"
#include "engine.h"
#include "io.h"
#include "uring.h"

#define URING_INLINE static inline __attribute__((always_inline))

/* What an engine does in its own way. A constant, so that its functions are inlined. */
struct uring_kind {
	unsigned big; /* 1: SQEs and CQEs have twice the size */
	/* Fills the SQE of io->index; user_data is set already. Returns false if the ring cannot do the
	   operation. */
	bool (*fill)(struct uring_state *s, struct io *io);
	/* Does an I/O that fill refused; returns its res. */
	int64_t (*other)(struct io *io);
	/* Sets io->res. */
	void (*complete)(struct uring_state *s, struct io *io, const struct io_uring_cqe *cqe);
};

static inline int enter(struct uring_state *s, unsigned to_submit, unsigned min_complete, unsigned flags)
{
	return io_uring_enter2((unsigned)s->ring.enter_ring_fd, to_submit, min_complete,
			       flags | s->enter_flags, NULL, 0);
}

/* ---- submit ---- */

/* Queues the first of the n I/Os, up to one that the ring cannot do. Returns how many. */
URING_INLINE unsigned queue_sqes(struct uring_state *s, struct io **ios, unsigned n,
				 const struct uring_kind *kind)
{
	struct io_uring_sq *sq = &s->ring.sq;
	unsigned tail = *sq->ktail, mask = *sq->kring_mask, i;

	for (i = 0; i < n && kind->fill(s, ios[i]); i++)
		sq->array[(tail + i) & mask] = ios[i]->index;
	io_uring_smp_store_release(sq->ktail, tail + i);
	return i;
}

/* Removes the last n SQEs; the kernel reads the ring only inside io_uring_enter. */
static inline void unqueue_sqes(struct uring_state *s, unsigned n)
{
	io_uring_smp_store_release(s->ring.sq.ktail, *s->ring.sq.ktail - n);
}

static inline int wake_sqthread(struct uring_state *s, unsigned n)
{
	int ret = 0;

	io_uring_smp_mb(); /* orders our tail before the read of the thread's wakeup flag */
	if (io_uring_smp_load_acquire(s->ring.sq.kflags) & IORING_SQ_NEED_WAKEUP)
		ret = enter(s, n, 0, IORING_ENTER_SQ_WAKEUP);
	return ret < 0 && ret != -EINTR ? ret : (int)n;
}

/* Returns flags for io_uring_enter. With deferred task work the kernel completes I/Os only on request; I/Os
   that complete inside submit are in the ring at once, and enough of them would keep the loop from ever
   requesting the others. */
static inline unsigned deferred_flags(const struct uring_state *s)
{
	unsigned flags = io_uring_smp_load_acquire(s->ring.sq.kflags);

	return flags & IORING_SQ_TASKRUN && !s->iopoll ? IORING_ENTER_GETEVENTS : 0;
}

/* Returns how many of the n queued SQEs the kernel took, or -errno. */
static inline int enter_queued(struct uring_state *s, unsigned n)
{
	unsigned k = 0;

	if (s->sqpoll)
		return wake_sqthread(s, n);
	while (k < n) {
		int ret = enter(s, n - k, 0, deferred_flags(s));

		if (ret > 0)
			k += (unsigned)ret;
		else if (ret != -EINTR)
			return k ? (int)k : ret;
	}
	return (int)k;
}

/* Submits the n queued I/Os; returns how many the kernel took, or -errno. */
static inline int submit_queued(struct engine_ctx *ctx, struct uring_state *s, struct io **ios, unsigned n)
{
	int ret = enter_queued(s, n);

	if (ret < (int)n)
		unqueue_sqes(s, n - (ret > 0 ? (unsigned)ret : 0));
	if (ret == -EAGAIN || ret == -EBUSY) {
		if (s->in_ring)
			return 0;
		done_queue_push(&s->done, ios[0], ret); /* no I/O in flight could make room by completing */
		return 1;
	}
	if (ret < 0)
		return diag_err(ctx->d, ret, "{ioengine=%s}: io_uring_enter: %s", ctx->engine->name,
				diag_errno(ret));
	s->in_ring += (unsigned)ret;
	return ret;
}

URING_INLINE int uring_loop_submit(struct engine_ctx *ctx, struct io **ios, unsigned n,
				   const struct uring_kind *kind)
{
	struct uring_state *s = ctx->state;
	unsigned taken = 0;

	while (taken < n) {
		unsigned run = queue_sqes(s, ios + taken, n - taken, kind);
		int ret = run ? submit_queued(ctx, s, ios + taken, run) : 0;

		if (ret < 0)
			return taken ? (int)taken : ret;
		taken += (unsigned)ret;
		if ((unsigned)ret < run)
			break;
		if (taken < n) {
			done_queue_push(&s->done, ios[taken], kind->other(ios[taken]));
			taken++;
		}
	}
	return (int)taken;
}

/* ---- reap ---- */

/* Takes up to max completions out of the ring. */
URING_INLINE unsigned drain(struct uring_state *s, struct io **out, unsigned max,
			    const struct uring_kind *kind)
{
	struct io_uring_cq *cq = &s->ring.cq;
	unsigned head = *cq->khead, tail = io_uring_smp_load_acquire(cq->ktail), mask = *cq->kring_mask;
	unsigned n = tail - head;

	if (n > max)
		n = max;
	for (unsigned i = 0; i < n; i++) {
		const struct io_uring_cqe *cqe = &cq->cqes[((head + i) & mask) << kind->big];
		struct io *io = (struct io *)(uintptr_t)cqe->user_data;

		__builtin_prefetch(&io->due_ns);
		kind->complete(s, io, cqe);
		out[i] = io;
	}
	if (n)
		io_uring_smp_store_release(cq->khead, head + n);
	s->in_ring -= n;
	return n;
}

static inline int enter_wait(struct uring_state *s, unsigned need, uint64_t timeout_ns)
{
	struct __kernel_timespec ts = { .tv_sec = (long long)(timeout_ns / 1000000000),
					.tv_nsec = (long long)(timeout_ns % 1000000000) };
	struct io_uring_getevents_arg arg = { .ts = (uintptr_t)&ts };
	unsigned flags = IORING_ENTER_GETEVENTS | s->enter_flags;

	if (timeout_ns == 0)
		return enter(s, 0, 0, IORING_ENTER_GETEVENTS);
	if (timeout_ns == UINT64_MAX)
		return enter(s, 0, need, IORING_ENTER_GETEVENTS);
	return io_uring_enter2((unsigned)s->ring.enter_ring_fd, 0, need, flags | IORING_ENTER_EXT_ARG,
			       (sigset_t *)(void *)&arg, sizeof(arg));
}

/* Returns whether the error is temporary: the same call can succeed later. */
static inline bool is_temporary(int err)
{
	return err == -EINTR || err == -EAGAIN || err == -EBUSY;
}

/* Polls with hipri: the kernel looks for completions only inside io_uring_enter, which then has no
   timeout. */
URING_INLINE int poll_device(struct uring_state *s, struct io **out, unsigned need, unsigned max,
			     uint64_t timeout_ns, const struct uring_kind *kind)
{
	uint64_t start = timeout_ns && timeout_ns != UINT64_MAX ? clock_ns() : 0;
	unsigned n = 0;

	for (;;) {
		int ret = enter(s, 0, timeout_ns == UINT64_MAX && need ? 1 : 0, IORING_ENTER_GETEVENTS);

		n += drain(s, out + n, max - n, kind);
		if (ret < 0)
			return n || is_temporary(ret) ? (int)n : ret;
		if (n >= need || timeout_ns == 0)
			return (int)n;
		if (timeout_ns != UINT64_MAX && clock_ns() - start >= timeout_ns)
			return (int)n;
	}
}

URING_INLINE int wait_more(struct uring_state *s, struct io **out, unsigned need, unsigned max,
			   uint64_t timeout_ns, const struct uring_kind *kind)
{
	unsigned n;
	int ret;

	if (s->iopoll && !s->sqpoll)
		return poll_device(s, out, need, max, timeout_ns, kind);
	ret = enter_wait(s, need, timeout_ns);
	n = drain(s, out, max, kind);
	return ret < 0 && !n && !is_temporary(ret) && ret != -ETIME ? ret : (int)n;
}

URING_INLINE int uring_loop_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max,
				 uint64_t timeout_ns, const struct uring_kind *kind)
{
	struct uring_state *s = ctx->state;
	unsigned n = done_queue_pop(&s->done, out, max);
	int ret;

	n += drain(s, out + n, max - n, kind);
	if ((n && n >= min) || !s->in_ring)
		return (int)n;
	ctx->waits++;
	ret = wait_more(s, out + n, min - n, max - n, timeout_ns, kind);
	if (ret < 0 && !n)
		return diag_err(ctx->d, ret, "{ioengine=%s}: io_uring_enter: %s", ctx->engine->name,
				diag_errno(ret));
	return ret < 0 ? (int)n : (int)n + ret;
}

#endif
