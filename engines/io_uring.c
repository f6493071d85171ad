/* io_uring: submission and completion through rings shared with the kernel. uring_setup.c creates the
   rings. Each io->index has its own SQE, so an I/O writes one cache line and copies nothing; liburing's
   management of SQEs is not used. */
#include <errno.h>
#include "clock.h"
#include "engine_parts.h"
#include "engine.h"
#include "uring.h"
#include "io.h"

static int enter(struct uring_state *s, unsigned to_submit, unsigned min_complete, unsigned flags)
{
	return io_uring_enter2((unsigned)s->ring.enter_ring_fd, to_submit, min_complete,
			       flags | s->enter_flags, NULL, 0);
}

/* ---- submit ---- */

/* Returns whether the ring can do an operation that moves no data; the others use the plain system call. */
static bool is_native(const struct uring_state *s, const struct io *io)
{
	return !s->iopoll && (io->op == IO_FSYNC || io->op == IO_FDATASYNC || io->op == IO_SYNC_FILE_RANGE);
}

static uint8_t sqe_flags(struct uring_state *s)
{
	uint8_t flags = s->sqe_flags;

	if (s->async_every && ++s->async_count == s->async_every) {
		flags |= IOSQE_ASYNC;
		s->async_count = 0;
	}
	return flags;
}

/* Fills the SQE of a read or write. user_data is already set, and so is buf_index if there is one region. */
static inline void fill_data(struct uring_state *s, struct io_uring_sqe *sqe, const struct io *io)
{
	sqe->opcode = s->opcode[io->op];
	sqe->flags = s->sqe_flags;
	sqe->ioprio = io->prio;
	sqe->off = io->offset;
	sqe->addr = (uintptr_t)io->buf;
	sqe->len = io->len;
	sqe->rw_flags = (int)(io->rwf | s->rwf[io->op]);
}

/* Fills the fields that only some jobs need. */
static __attribute__((noinline)) void fill_more(struct uring_state *s, struct io_uring_sqe *sqe,
						struct io *io)
{
	io->rwf |= s->rwf[io->op] & RWF_NOWAIT; /* the core then treats EAGAIN as a result */
	sqe->flags = sqe_flags(s);
	sqe->addr3 = 0;
	sqe->buf_index = (uint16_t)(s->fixed_bufs ? io->index / s->per_region : 0);
	if (s->iov) {
		s->iov[io->index] = (struct iovec){ io->buf, io->len };
		sqe->addr = (uintptr_t)&s->iov[io->index];
		sqe->len = 1;
	}
}

/* The command exists since Linux 6.12, for block devices only. */
static void fill_trim(struct uring_state *s, struct io_uring_sqe *sqe, const struct io *io)
{
	sqe->opcode = IORING_OP_URING_CMD;
	sqe->flags = s->sqe_flags;
	sqe->ioprio = 0;
	sqe->off = BLOCK_URING_CMD_DISCARD; /* cmd_op, and padding that must be 0 */
	sqe->addr = io->offset;
	sqe->addr3 = io->len;
	sqe->len = 0;
	sqe->rw_flags = 0;
	sqe->buf_index = 0;
}

static void fill_sync_sqe(struct uring_state *s, struct io_uring_sqe *sqe, const struct io *io)
{
	bool range = io->op == IO_SYNC_FILE_RANGE;

	sqe->opcode = range ? IORING_OP_SYNC_FILE_RANGE : IORING_OP_FSYNC;
	sqe->flags = s->sqe_flags;
	sqe->ioprio = 0;
	sqe->off = range ? io->offset : 0;
	sqe->addr = sqe->addr3 = 0;
	sqe->len = range ? io->len : 0;
	if (range)
		sqe->sync_range_flags = io->rwf;
	else
		sqe->fsync_flags = io->op == IO_FDATASYNC ? IORING_FSYNC_DATASYNC : 0;
	sqe->buf_index = 0;
}

/* Queues the first of the n I/Os, up to one that the ring cannot do. Returns how many. */
static unsigned queue_sqes(struct uring_state *s, struct io **ios, unsigned n)
{
	struct io_uring_sq *sq = &s->ring.sq;
	unsigned tail = *sq->ktail, mask = *sq->kring_mask, i;

	for (i = 0; i < n; i++) {
		struct io *io = ios[i];
		struct io_uring_sqe *sqe = &sq->sqes[io->index];

		if (io->op <= IO_WRITE) {
			fill_data(s, sqe, io);
			if (__builtin_expect(s->more, 0))
				fill_more(s, sqe, io);
		} else if (is_native(s, io)) {
			fill_sync_sqe(s, sqe, io);
		} else if (io->op == IO_TRIM && s->queued_trims) {
			fill_trim(s, sqe, io);
		} else {
			break;
		}
		sqe->fd = s->fixed_files ? (int)io->file->index : io->file->fd;
		sq->array[(tail + i) & mask] = io->index;
	}
	io_uring_smp_store_release(sq->ktail, tail + i);
	return i;
}

/* Removes the last n SQEs; the kernel reads the ring only inside io_uring_enter. */
static void unqueue_sqes(struct uring_state *s, unsigned n)
{
	io_uring_smp_store_release(s->ring.sq.ktail, *s->ring.sq.ktail - n);
}

static int wake_sqthread(struct uring_state *s, unsigned n)
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
static unsigned deferred_flags(const struct uring_state *s)
{
	unsigned flags = io_uring_smp_load_acquire(s->ring.sq.kflags);

	return flags & IORING_SQ_TASKRUN && !s->iopoll ? IORING_ENTER_GETEVENTS : 0;
}

/* Returns how many of the n queued SQEs the kernel took, or -errno. */
static int enter_queued(struct uring_state *s, unsigned n)
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
static int submit_queued(struct engine_ctx *ctx, struct uring_state *s, struct io **ios, unsigned n)
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
		return diag_err(ctx->d, ret, "{ioengine=io_uring}: io_uring_enter: %s", diag_errno(ret));
	s->in_ring += (unsigned)ret;
	return ret;
}

static int uring_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	struct uring_state *s = ctx->state;
	unsigned taken = 0;

	while (taken < n) {
		unsigned run = queue_sqes(s, ios + taken, n - taken);
		int ret = run ? submit_queued(ctx, s, ios + taken, run) : 0;

		if (ret < 0)
			return taken ? (int)taken : ret;
		taken += (unsigned)ret;
		if ((unsigned)ret < run)
			break;
		if (taken < n) {
			done_queue_push(&s->done, ios[taken], syscall_io(ios[taken]));
			taken++;
		}
	}
	return (int)taken;
}

/* ---- reap ---- */

static unsigned drain(struct uring_state *s, struct io **out, unsigned max)
{
	struct io_uring_cq *cq = &s->ring.cq;
	unsigned head = *cq->khead, tail = io_uring_smp_load_acquire(cq->ktail), mask = *cq->kring_mask;
	unsigned n = tail - head;

	if (n > max)
		n = max;
	for (unsigned i = 0; i < n; i++) {
		const struct io_uring_cqe *cqe = &cq->cqes[(head + i) & mask];
		struct io *io = (struct io *)(uintptr_t)cqe->user_data;

		__builtin_prefetch(&io->due_ns);
		io->res = cqe->res;
		out[i] = io;
	}
	if (n)
		io_uring_smp_store_release(cq->khead, head + n);
	s->in_ring -= n;
	return n;
}

/* The kernel returns 0 for a trim; fiord's core expects its bytes, as of other I/Os. */
static void set_trimmed_bytes(struct io *const *ios, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (ios[i]->op == IO_TRIM && !ios[i]->res)
			ios[i]->res = ios[i]->len;
}

static int enter_wait(struct uring_state *s, unsigned need, uint64_t timeout_ns)
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
static bool is_temporary(int err)
{
	return err == -EINTR || err == -EAGAIN || err == -EBUSY;
}

/* Polls with hipri: the kernel looks for completions only inside io_uring_enter, which then has no
   timeout. */
static int poll_device(struct uring_state *s, struct io **out, unsigned need, unsigned max,
		       uint64_t timeout_ns)
{
	uint64_t start = timeout_ns && timeout_ns != UINT64_MAX ? clock_ns() : 0;
	unsigned n = 0;

	for (;;) {
		int ret = enter(s, 0, timeout_ns == UINT64_MAX && need ? 1 : 0, IORING_ENTER_GETEVENTS);

		n += drain(s, out + n, max - n);
		if (ret < 0)
			return n || is_temporary(ret) ? (int)n : ret;
		if (n >= need || timeout_ns == 0)
			return (int)n;
		if (timeout_ns != UINT64_MAX && clock_ns() - start >= timeout_ns)
			return (int)n;
	}
}

static int wait_more(struct uring_state *s, struct io **out, unsigned need, unsigned max, uint64_t timeout_ns)
{
	unsigned n;
	int ret;

	if (s->iopoll && !s->sqpoll)
		return poll_device(s, out, need, max, timeout_ns);
	ret = enter_wait(s, need, timeout_ns);
	n = drain(s, out, max);
	return ret < 0 && !n && !is_temporary(ret) && ret != -ETIME ? ret : (int)n;
}

static int reap_any(struct engine_ctx *ctx, struct uring_state *s, struct io **out, unsigned min,
		    unsigned max, uint64_t timeout_ns)
{
	unsigned n = done_queue_pop(&s->done, out, max);
	int ret;

	n += drain(s, out + n, max - n);
	if ((n && n >= min) || !s->in_ring)
		return (int)n;
	ctx->waits++;
	ret = wait_more(s, out + n, min - n, max - n, timeout_ns);
	if (ret < 0 && !n)
		return diag_err(ctx->d, ret, "{ioengine=io_uring}: io_uring_enter: %s", diag_errno(ret));
	return ret < 0 ? (int)n : (int)n + ret;
}

static int uring_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max,
		      uint64_t timeout_ns)
{
	struct uring_state *s = ctx->state;
	int n = reap_any(ctx, s, out, min, max, timeout_ns);

	if (__builtin_expect(s->queued_trims, 0) && n > 0)
		set_trimmed_bytes(out, (unsigned)n);
	return n;
}

static void uring_fini(struct engine_ctx *ctx)
{
	struct uring_state *s = ctx->state;

	uring_release(s);
	done_queue_fini(&s->done);
}

static int uring_init(struct engine_ctx *ctx)
{
	struct uring_state *s = ctx->state;
	int ret = done_queue_init(&s->done, ctx->depth);

	if (ret)
		diag_err(ctx->d, ret, "{ioengine=io_uring}: out of memory");
	else
		ret = uring_setup(ctx, s);
	if (ret)
		uring_fini(ctx);
	return ret;
}

/* clang-format off */
#define OPT_STRUCT struct uring_opts
#define PASSTHROUGH(n) { .name = n, .status = OPT_REFUSED, .group = "io_uring", .why = PASSTHROUGH_WHY }
#define PASSTHROUGH_WHY \
	"belongs to NVMe and SCSI passthrough (fio's io_uring_cmd engine), which fiord does not include"
#define MINUS_1 ((uint64_t)(int64_t)-1)
static const struct opt_row uring_rows[] = {
	{ .name = "hipri", OPT_FLAG(hipri), .group = "io_uring",
	  .help = "Poll for completions (needs direct=1 and a device with poll queues)" },
	{ .name = "fixedbufs", AUTOFLAG(fixedbufs), .group = "io_uring",
	  .help = "Register the buffers with the ring (-1: where the kernel allows it)" },
	{ .name = "registerfiles", AUTOFLAG(registerfiles), .group = "io_uring",
	  .help = "Register the files with the ring (-1: where the kernel allows it)" },
	{ .name = "sqthread_poll", OPT_FLAG(sqthread_poll), .group = "io_uring",
	  .help = "Let a kernel thread submit the I/Os" },
	{ .name = "sqthread_poll_cpu", OPT_I32(sqthread_poll_cpu), .def = "-1", OPT_RANGE(MINUS_1, 65535),
	  .group = "io_uring", .help = "CPU of the thread of sqthread_poll (-1: any)" },
	{ .name = "nonvectored", OPT_I32(nonvectored), .def = "-1", OPT_RANGE(MINUS_1, 1),
	  .group = "io_uring", .help = "1: plain reads and writes, 0: vectored ones, -1: whichever suits the "
		  "kernel" },
	{ .name = "force_async", OPT_U32(force_async), .def = "0", .group = "io_uring",
	  .help = "Submit every Nth I/O with IOSQE_ASYNC, to a kernel worker (0: none)" },
	{ .name = "uncached", OPT_FLAG(uncached), .group = "io_uring",
	  .help = "Buffered I/O that leaves no pages in the page cache (RWF_DONTCACHE)" },
	{ .name = "nowait", OPT_BOOL(nowait), .group = "io_uring",
	  .help = "Ask the kernel not to wait (RWF_NOWAIT); an I/O that would block fails with EAGAIN" },
	CMDPRIO_ROWS(cmdprio, "io_uring"),
	PASSTHROUGH("readfua"),
	PASSTHROUGH("writefua"),
	PASSTHROUGH("write_mode"),
	PASSTHROUGH("verify_mode"),
	PASSTHROUGH("cmd_type"),
	PASSTHROUGH("cdb_len"),
	PASSTHROUGH("verify_bytchk"),
	PASSTHROUGH("read_mode"),
	PASSTHROUGH("md_per_io_size"),
	PASSTHROUGH("pi_act"),
	PASSTHROUGH("pi_chk"),
	PASSTHROUGH("apptag"),
	PASSTHROUGH("apptag_mask"),
	PASSTHROUGH("deac"),
	{ .name = NULL },
};
/* clang-format on */
static const struct opt_table uring_table = { uring_rows, sizeof(struct uring_opts) };

static const char *needs_open_files(const void *opts)
{
	const struct uring_opts *o = opts;

	return o->registerfiles == AUTOFLAG_ON ? "registerfiles=1" : NULL;
}

const struct engine engine_io_uring = {
	.name = "io_uring",
	.caps = ENG_RWF | ENG_PLUGS | ENG_RING,
	.help = "Linux asynchronous I/O through shared rings",
	.state_size = sizeof(struct uring_state),
	.opts = &uring_table,
	.opts_size = sizeof(struct uring_opts),
	.cmdprio = 1 + offsetof(struct uring_opts, cmdprio),
	.init = uring_init,
	.submit = uring_submit,
	.reap = uring_reap,
	.fini = uring_fini,
	.reopen = uring_reopen,
	.needs_open_files = needs_open_files,
	.queues_trims = uring_queues_trims,
};
