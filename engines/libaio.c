/* libaio: the kernel's native asynchronous I/O. Completions are read from the ring that the kernel maps
   into the process, if its layout is the known one; io_getevents is called only to wait. */
#include <errno.h>
#include <libaio.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include "engine_parts.h"
#include "cmdprio.h"
#include "engine.h"
#include "io.h"

/* The mapping that an io_context_t points to. */
#define AIO_RING_MAGIC 0xa10a10a1
struct aio_ring {
	unsigned id, nr;
	_Atomic unsigned head, tail;
	unsigned magic, compat_features, incompat_features, header_length;
	struct io_event events[];
};

/* This flag, which linux/aio_abi.h calls IOCB_FLAG_IOPRIO, means that aio_reqprio holds a priority. */
#define AIO_FLAG_IOPRIO (1 << 1)

struct libaio_opts {
	int32_t userspace_reap; /* enum autoflag */
	bool vectored, nowait;
	struct cmdprio_opts cmdprio;
};

struct libaio_state {
	io_context_t aio;
	struct aio_ring *ring; /* NULL: its layout is unknown */
	struct iocb *iocbs;    /* by io->index */
	struct iovec *iov;     /* by io->index; NULL: not vectored */
	struct iocb **batch;
	struct io_event *events;
	struct done_queue done; /* I/Os completed inside submit */
	unsigned in_kernel;
	uint32_t rwf[2]; /* RWF_* flags of every read and every write */
	bool plain_sync; /* the kernel has no asynchronous fsync */
	bool more;       /* iocbs need more fields than fill_data sets */
};

static void libaio_fini(struct engine_ctx *ctx)
{
	struct libaio_state *s = ctx->state;

	if (s->aio)
		io_destroy(s->aio);
	done_queue_fini(&s->done);
	free(s->iov);
	free(s->events);
	free(s->batch);
	free(s->iocbs);
}

static int setup_failed(struct engine_ctx *ctx, int ret)
{
	if (ret == -EAGAIN)
		return diag_err(
			ctx->d, ret,
			"{ioengine=libaio}: no room for %u requests: /proc/sys/fs/aio-max-nr limits the "
			"requests of all programs together; raise it, or lower {iodepth} or {numjobs}",
			ctx->depth);
	if (ret == -ENOSYS || ret == -EPERM)
		return diag_err(ctx->d, ret,
				"{ioengine=libaio}: the kernel, or the container, forbids asynchronous I/O: "
				"%s; use {ioengine=psync}",
				diag_errno(ret));
	return diag_err(ctx->d, ret, "{ioengine=libaio}: io_setup: %s", diag_errno(ret));
}

static int map_ring(struct engine_ctx *ctx, struct libaio_state *s)
{
	const struct libaio_opts *o = ctx->opts;
	struct aio_ring *ring = (struct aio_ring *)(void *)s->aio;

	if (o && o->userspace_reap == AUTOFLAG_OFF)
		return 0;
	if (ring->magic == AIO_RING_MAGIC && !ring->incompat_features &&
	    ring->header_length == sizeof(*ring)) {
		s->ring = ring;
		strcpy(ctx->info, "completions read from the ring in user space");
	} else if (o && o->userspace_reap == AUTOFLAG_ON) {
		return diag_err(
			ctx->d, -EOPNOTSUPP,
			"{userspace_reap}: this kernel's completion ring has a layout that fiord does "
			"not know");
	}
	return 0;
}

/* Applies libaio_vectored and nowait. */
static int apply_options(struct engine_ctx *ctx, struct libaio_state *s)
{
	const struct libaio_opts *o = ctx->opts;
	int ret = o && o->nowait ? rwf_check(ctx, RWF_NOWAIT, "nowait", "RWF_NOWAIT") : 0;

	s->rwf[IO_READ] = o && o->nowait ? RWF_NOWAIT : 0;
	s->rwf[IO_WRITE] = s->rwf[IO_READ] | ctx->write_rwf;
	if (!ret && o && o->vectored && !(s->iov = calloc(ctx->depth, sizeof(*s->iov))))
		ret = diag_err(ctx->d, -ENOMEM, "{ioengine=libaio}: out of memory");
	s->more = s->iov || s->rwf[IO_READ];
	return ret;
}

static int libaio_init(struct engine_ctx *ctx)
{
	struct libaio_state *s = ctx->state;
	int ret = done_queue_init(&s->done, ctx->depth);

	s->iocbs = calloc(ctx->depth, sizeof(*s->iocbs));
	s->batch = calloc(ctx->depth, sizeof(struct iocb *));
	s->events = calloc(ctx->depth, sizeof(*s->events));
	if (ret || !s->iocbs || !s->batch || !s->events)
		ret = diag_err(ctx->d, -ENOMEM, "{ioengine=libaio}: out of memory");
	else if ((ret = io_setup((int)ctx->depth, &s->aio)))
		setup_failed(ctx, ret);
	else
		ret = map_ring(ctx, s);
	if (!ret)
		ret = apply_options(ctx, s);
	if (ret) {
		libaio_fini(ctx);
		return ret;
	}
	for (unsigned i = 0; i < ctx->depth; i++)
		s->iocbs[i].data = &ctx->ios[i];
	return 0;
}

/* Returns whether io_submit can do an operation that moves no data; the others use the plain system call. */
static bool is_native(const struct libaio_state *s, const struct io *io)
{
	return (io->op == IO_FSYNC || io->op == IO_FDATASYNC) && !s->plain_sync;
}

static void fill_data(const struct libaio_state *s, struct iocb *cb, struct io *io)
{
	cb->aio_lio_opcode = io->op == IO_READ ? IO_CMD_PREAD : IO_CMD_PWRITE;
	cb->aio_fildes = io->file->fd;
	cb->aio_rw_flags = io->rwf | s->rwf[io->op];
	cb->aio_reqprio = (short)io->prio;
	cb->u.c.flags = io->prio ? AIO_FLAG_IOPRIO : 0;
	cb->u.c.buf = io->buf;
	cb->u.c.nbytes = io->len;
	cb->u.c.offset = (long long)io->offset;
}

/* Fills the fields that only some jobs need. */
static __attribute__((noinline)) void fill_more(const struct libaio_state *s, struct iocb *cb, struct io *io)
{
	io->rwf |= s->rwf[io->op] & RWF_NOWAIT; /* the core then treats EAGAIN as a result */
	if (!s->iov)
		return;
	s->iov[io->index] = (struct iovec){ io->buf, io->len };
	cb->aio_lio_opcode = io->op == IO_READ ? IO_CMD_PREADV : IO_CMD_PWRITEV;
	cb->u.c.buf = &s->iov[io->index];
	cb->u.c.nbytes = 1;
}

/* Fills the iocb of a sync. All other fields must be 0, or the kernel returns -EINVAL. */
static void fill_sync_iocb(struct iocb *cb, const struct io *io)
{
	*cb = (struct iocb){
		.data = cb->data,
		.aio_fildes = io->file->fd,
		.aio_lio_opcode = io->op == IO_FSYNC ? IO_CMD_FSYNC : IO_CMD_FDSYNC,
	};
}

/* Completes an I/O that the kernel refused with `err`. */
static void complete_refused(struct libaio_state *s, struct io *io, int err)
{
	if (err == -EINVAL && io->op > IO_WRITE) {
		s->plain_sync = true;
		done_queue_push(&s->done, io, syscall_io(io));
	} else {
		done_queue_push(&s->done, io, err);
	}
}

/* Fills the iocbs of the first of the n I/Os, up to one that io_submit cannot do. Returns how many. */
static unsigned prepare_iocbs(struct libaio_state *s, struct io **ios, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++) {
		struct io *io = ios[i];
		struct iocb *cb = &s->iocbs[io->index];

		if (io->op <= IO_WRITE) {
			fill_data(s, cb, io);
			if (__builtin_expect(s->more, 0))
				fill_more(s, cb, io);
		} else if (is_native(s, io)) {
			fill_sync_iocb(cb, io);
		} else {
			break;
		}
		s->batch[i] = cb;
	}
	return i;
}

/* Submits the n prepared I/Os; returns how many the kernel took, fewer if it has no room now. */
static unsigned submit_native(struct libaio_state *s, struct io **ios, unsigned n)
{
	unsigned k = 0;

	while (k < n) {
		int ret = io_submit(s->aio, n - k, s->batch + k);

		if (ret > 0) {
			k += (unsigned)ret;
			s->in_kernel += (unsigned)ret;
		} else if (ret == -EAGAIN && s->in_kernel) {
			break;
		} else if (ret != -EINTR) {
			complete_refused(s, ios[k], ret ? ret : -EAGAIN);
			k++;
		}
	}
	return k;
}

static int libaio_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	struct libaio_state *s = ctx->state;
	unsigned taken = 0;

	while (taken < n) {
		unsigned run = prepare_iocbs(s, ios + taken, n - taken);
		unsigned k = submit_native(s, ios + taken, run);

		taken += k;
		if (k < run)
			break;
		if (taken < n) {
			done_queue_push(&s->done, ios[taken], syscall_io(ios[taken]));
			taken++;
		}
	}
	return (int)taken;
}

static struct io *completed(const struct io_event *e)
{
	struct io *io = e->data;

	io->res = (int64_t)e->res;
	return io;
}

static unsigned reap_ring(struct libaio_state *s, struct io **out, unsigned max)
{
	struct aio_ring *r = s->ring;
	unsigned head = atomic_load_explicit(&r->head, memory_order_relaxed);
	unsigned tail = atomic_load_explicit(&r->tail, memory_order_acquire);
	unsigned n = 0;

	while (head != tail && n < max) {
		out[n] = completed(&r->events[head]);
		__builtin_prefetch(&out[n++]->due_ns);
		if (++head >= r->nr)
			head = 0;
	}
	if (n)
		atomic_store_explicit(&r->head, head, memory_order_release);
	return n;
}

static int wait_events(struct libaio_state *s, struct io **out, unsigned min, unsigned max,
		       uint64_t timeout_ns)
{
	struct timespec ts = { (time_t)(timeout_ns / 1000000000), (long)(timeout_ns % 1000000000) };
	int n = io_getevents(s->aio, min, max, s->events, timeout_ns == UINT64_MAX ? NULL : &ts);

	if (n == -EINTR)
		return 0;
	for (int i = 0; i < n; i++)
		out[i] = completed(&s->events[i]);
	return n;
}

static int libaio_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max,
		       uint64_t timeout_ns)
{
	struct libaio_state *s = ctx->state;
	unsigned done = done_queue_pop(&s->done, out, max), n = done;
	int ret = 0;

	if (s->ring)
		n += reap_ring(s, out + n, max - n);
	if (n < min || (!s->ring && n < max && s->in_kernel)) {
		ctx->waits++;
		ret = wait_events(s, out + n, min > n ? min - n : 0, max - n, timeout_ns);
	}
	if (ret > 0)
		n += (unsigned)ret;
	s->in_kernel -= n - done;
	if (ret < 0 && !n)
		return diag_err(ctx->d, ret, "{ioengine=libaio}: io_getevents: %s", diag_errno(ret));
	return (int)n;
}

/* clang-format off */
#define OPT_STRUCT struct libaio_opts
static const struct opt_row libaio_rows[] = {
	{ .name = "userspace_reap", AUTOFLAG(userspace_reap), .group = "libaio",
	  .help = "Read completions from the ring in user space (-1: where its layout is known)" },
	{ .name = "libaio_vectored", OPT_BOOL(vectored), .group = "libaio",
	  .help = "Vectored requests (preadv and pwritev)" },
	{ .name = "nowait", OPT_BOOL(nowait), .group = "libaio",
	  .help = "Ask the kernel not to wait (RWF_NOWAIT); an I/O that would block fails with EAGAIN" },
	CMDPRIO_ROWS(cmdprio, "libaio"),
	{ .name = NULL },
};
/* clang-format on */
static const struct opt_table libaio_table = { libaio_rows, sizeof(struct libaio_opts) };

const struct engine engine_libaio = {
	.name = "libaio",
	.alias = { "aio", "linuxaio" },
	.stands_for = "windowsaio",
	.caps = ENG_RWF | ENG_PLUGS | ENG_BUFFERED_SYNC,
	.help = "Linux native asynchronous I/O (io_submit)",
	.state_size = sizeof(struct libaio_state),
	.opts = &libaio_table,
	.opts_size = sizeof(struct libaio_opts),
	.cmdprio = 1 + offsetof(struct libaio_opts, cmdprio),
	.init = libaio_init,
	.submit = libaio_submit,
	.reap = libaio_reap,
	.fini = libaio_fini,
};
