/* pvsync: preadv and pwritev, one I/O at a time. */
#include <errno.h>
#include <sys/uio.h>
#include "engine_parts.h"
#include "io.h"

static int64_t transfer(const struct io *io)
{
	struct iovec v = { io->buf, io->len };
	ssize_t ret;

	do
		ret = io->op == IO_READ ? preadv(io->file->fd, &v, 1, (off_t)io->offset)
					: pwritev(io->file->fd, &v, 1, (off_t)io->offset);
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret;
}

static int pvsync_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	struct io *io = ios[0];
	bool plain = io->op > IO_WRITE || io->rwf;

	(void)n;
	return depth_one_done(ctx->state, io, plain ? syscall_io(io) : transfer(io));
}

const struct engine engine_pvsync = {
	.name = "pvsync",
	.help = "preadv and pwritev, one at a time",
	.caps = ENG_SYNC,
	.state_size = sizeof(struct depth_one),
	.submit = pvsync_submit,
	.reap = depth_one_reap,
};
