/* splice: moves data between file and pipe with splice, and between pipe and buffer with vmsplice, one I/O
   at a time. */
#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>
#include "engine_parts.h"
#include "io.h"

struct splice_state {
	int pipe[2]; /* empty between I/Os; -1: could not be created again */
	size_t pipe_bytes;
};

static void close_pipe(struct splice_state *s)
{
	for (int i = 0; i < 2; i++) {
		if (s->pipe[i] >= 0)
			close(s->pipe[i]);
		s->pipe[i] = -1;
	}
}

/* Makes the pipe as large as a whole I/O if the system allows it. */
static int open_pipe(struct splice_state *s, size_t bytes)
{
	int ret;

	if (pipe2(s->pipe, O_CLOEXEC)) {
		s->pipe[0] = s->pipe[1] = -1;
		return -errno;
	}
	if (bytes <= INT32_MAX)
		(void)fcntl(s->pipe[1], F_SETPIPE_SZ, (int)bytes);
	ret = fcntl(s->pipe[1], F_GETPIPE_SZ);
	s->pipe_bytes = ret > 0 ? (size_t)ret : 4096;
	return 0;
}

static size_t io_buffer_bytes(const struct engine_ctx *ctx)
{
	return ctx->bufs ? ctx->bufs->stride : 0;
}

static int splice_init(struct engine_ctx *ctx)
{
	struct splice_state *s = ctx->state;
	int ret = open_pipe(s, io_buffer_bytes(ctx));

	return ret ? diag_err(ctx->d, ret, "{ioengine=splice}: pipe: %s", diag_errno(ret)) : 0;
}

/* Moves the n bytes in the pipe to or from the rest of the I/O; returns how many, or -errno if none. */
typedef ssize_t move_fn(struct splice_state *s, const struct io *io, size_t at, size_t n);

static ssize_t file_to_pipe(struct splice_state *s, const struct io *io, size_t at, size_t n)
{
	off_t offset = (off_t)(io->offset + at);

	return splice(io->file->fd, &offset, s->pipe[1], NULL, n, 0);
}

static ssize_t pipe_to_buffer(struct splice_state *s, const struct io *io, size_t at, size_t n)
{
	struct iovec v = { (char *)io->buf + at, n };

	return vmsplice(s->pipe[0], &v, 1, 0);
}

static ssize_t buffer_to_pipe(struct splice_state *s, const struct io *io, size_t at, size_t n)
{
	struct iovec v = { (char *)io->buf + at, n };

	return vmsplice(s->pipe[1], &v, 1, SPLICE_F_NONBLOCK);
}

static ssize_t pipe_to_file(struct splice_state *s, const struct io *io, size_t at, size_t n)
{
	off_t offset = (off_t)(io->offset + at);

	return splice(s->pipe[0], NULL, io->file->fd, &offset, n, 0);
}

static ssize_t move(move_fn *fn, struct splice_state *s, const struct io *io, size_t at, size_t n)
{
	ssize_t ret;

	do
		ret = fn(s, io, at, n);
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret;
}

/* Empties the pipe, which holds n bytes of the I/O from `at` on. Returns how many it moved; *err is the
   reason if not all. */
static size_t empty_pipe(move_fn *fn, struct splice_state *s, const struct io *io, size_t at, size_t n,
			 int *err)
{
	size_t moved = 0;

	while (moved < n) {
		ssize_t ret = move(fn, s, io, at + moved, n - moved);

		if (ret <= 0) {
			*err = ret ? (int)ret : -EIO;
			break;
		}
		moved += (size_t)ret;
	}
	return moved;
}

static int64_t transfer_spliced(struct splice_state *s, const struct io *io)
{
	move_fn *in = io->op == IO_READ ? file_to_pipe : buffer_to_pipe;
	move_fn *out = io->op == IO_READ ? pipe_to_buffer : pipe_to_file;
	size_t done = 0;
	int err = 0;

	while (done < io->len && !err) {
		size_t left = io->len - done;
		ssize_t n = move(in, s, io, done, left < s->pipe_bytes ? left : s->pipe_bytes);

		if (n == 0)
			break;
		if (n < 0)
			err = (int)n;
		else
			done += empty_pipe(out, s, io, done, (size_t)n, &err);
	}
	return done || !err ? (int64_t)done : err;
}

static int64_t splice_do_one(struct engine_ctx *ctx, struct io *io)
{
	struct splice_state *s = ctx->state;
	int64_t res;
	int ret = 0;

	if (io->op > IO_WRITE || io->rwf)
		return syscall_io(io);
	if (s->pipe[0] < 0)
		ret = open_pipe(s, io_buffer_bytes(ctx));
	if (ret)
		return ret;
	res = transfer_spliced(s, io);
	if (res < (int64_t)io->len)
		close_pipe(s); /* the pipe may still hold data */
	return res;
}

static void splice_fini(struct engine_ctx *ctx)
{
	close_pipe(ctx->state);
}

const struct engine engine_splice = {
	.name = "splice",
	.help = "splice and vmsplice through a pipe, one at a time",
	.caps = ENG_SYNC | ENG_NO_READAHEAD,
	.state_size = sizeof(struct splice_state),
	.init = splice_init,
	.do_one = splice_do_one,
	.fini = splice_fini,
};
