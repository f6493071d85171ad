/* posixaio: POSIX asynchronous I/O (aio_read and so on), which the C library does in its own threads. */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "clock.h"
#include "engine_parts.h"
#include "engine.h"
#include "io.h"

struct posixaio_state {
	struct aiocb *cbs;          /* by io->index */
	struct io **pending;        /* in the library, oldest first */
	const struct aiocb **waits; /* the same I/Os, for aio_suspend */
	unsigned npending;
	struct done_queue done; /* I/Os completed inside submit */
};

/* Waits for all I/Os, because the library writes to their buffers and control blocks. */
static void posixaio_fini(struct engine_ctx *ctx)
{
	struct posixaio_state *s = ctx->state;

	for (unsigned i = 0; i < s->npending; i++) {
		struct aiocb *cb = &s->cbs[s->pending[i]->index];
		const struct aiocb *wait = cb;

		aio_cancel(cb->aio_fildes, cb);
		while (aio_error(cb) == EINPROGRESS)
			aio_suspend(&wait, 1, NULL);
		aio_return(cb);
	}
	done_queue_fini(&s->done);
	free(s->cbs);
	free(s->pending);
	free(s->waits);
}

static int posixaio_init(struct engine_ctx *ctx)
{
	struct posixaio_state *s = ctx->state;
	int ret = done_queue_init(&s->done, ctx->depth);

	s->cbs = calloc(ctx->depth, sizeof(*s->cbs));
	s->pending = calloc(ctx->depth, sizeof(struct io *));
	s->waits = calloc(ctx->depth, sizeof(const struct aiocb *));
	if (!ret && s->cbs && s->pending && s->waits)
		return 0;
	posixaio_fini(ctx);
	return diag_err(ctx->d, -ENOMEM, "{ioengine=posixaio}: out of memory");
}

static bool is_queued(const struct io *io)
{
	return (io->op <= IO_WRITE && !io->rwf) || io->op == IO_FSYNC || io->op == IO_FDATASYNC;
}

static int call_aio(struct aiocb *cb, const struct io *io)
{
	memset(cb, 0, sizeof(*cb));
	cb->aio_fildes = io->file->fd;
	cb->aio_sigevent.sigev_notify = SIGEV_NONE;
	if (io->op > IO_WRITE)
		return aio_fsync(io->op == IO_FSYNC ? O_SYNC : O_DSYNC, cb);
	cb->aio_buf = io->buf;
	cb->aio_nbytes = io->len;
	cb->aio_offset = (off_t)io->offset;
	return io->op == IO_READ ? aio_read(cb) : aio_write(cb);
}

/* Returns false if the library has no room now. */
static bool start_io(struct posixaio_state *s, struct io *io)
{
	if (!is_queued(io)) {
		done_queue_push(&s->done, io, syscall_io(io));
	} else if (!call_aio(&s->cbs[io->index], io)) {
		s->pending[s->npending++] = io;
	} else if (errno == EAGAIN && s->npending) {
		return false;
	} else {
		done_queue_push(&s->done, io, -errno);
	}
	return true;
}

static int posixaio_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	struct posixaio_state *s = ctx->state;
	unsigned taken = 0;

	while (taken < n && start_io(s, ios[taken]))
		taken++;
	return (int)taken;
}

/* Takes up to max completed I/Os. */
static unsigned take_completed(struct posixaio_state *s, struct io **out, unsigned max)
{
	unsigned n = 0, left = 0;

	for (unsigned i = 0; i < s->npending; i++) {
		struct io *io = s->pending[i];
		struct aiocb *cb = &s->cbs[io->index];
		int err = n < max ? aio_error(cb) : EINPROGRESS;

		if (err == EINPROGRESS) {
			s->pending[left++] = io;
			continue;
		}
		io->res = err ? -err : aio_return(cb);
		if (err)
			aio_return(cb);
		out[n++] = io;
	}
	s->npending = left;
	return n;
}

/* Waits until a pending I/O completes. Returns 0, or -errno: -EAGAIN after the timeout, -EINTR after a
   signal. */
static int wait_for_one(struct posixaio_state *s, uint64_t timeout_ns)
{
	struct timespec ts = { (time_t)(timeout_ns / 1000000000), (long)(timeout_ns % 1000000000) };

	for (unsigned i = 0; i < s->npending; i++)
		s->waits[i] = &s->cbs[s->pending[i]->index];
	return aio_suspend(s->waits, (int)s->npending, timeout_ns == UINT64_MAX ? NULL : &ts) ? -errno : 0;
}

static int posixaio_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max,
			 uint64_t timeout_ns)
{
	struct posixaio_state *s = ctx->state;
	bool timed = timeout_ns && timeout_ns != UINT64_MAX;
	uint64_t end = timed ? clock_ns() + timeout_ns : 0;
	unsigned n = done_queue_pop(&s->done, out, max);

	n += take_completed(s, out + n, max - n);
	while (n < min && timeout_ns) {
		uint64_t now = timed ? clock_ns() : 0;
		int ret;

		if (timed && now >= end)
			break;
		ctx->waits++;
		ret = wait_for_one(s, timed ? end - now : UINT64_MAX);
		n += take_completed(s, out + n, max - n);
		if (ret == -EAGAIN || ret == -EINTR)
			break;
		if (ret)
			return n ? (int)n
				 : diag_err(ctx->d, ret, "{ioengine=posixaio}: aio_suspend: %s",
					    diag_errno(ret));
	}
	return (int)n;
}

const struct engine engine_posixaio = {
	.name = "posixaio",
	.help = "POSIX asynchronous I/O, done by threads of the C library (one after the other within a "
		"file)",
	.caps = ENG_COMMON_THREADS,
	.state_size = sizeof(struct posixaio_state),
	.init = posixaio_init,
	.submit = posixaio_submit,
	.reap = posixaio_reap,
	.fini = posixaio_fini,
};
