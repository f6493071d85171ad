/* pvsync: preadv and pwritev, one I/O at a time. */
#include <errno.h>
#include <sys/uio.h>
#include "engine_parts.h"
#include "io.h"

static int64_t pvsync_do_one(struct engine_ctx *ctx, struct io *io)
{
	struct iovec v = { io->buf, io->len };
	ssize_t ret;

	(void)ctx;
	if (io->op > IO_WRITE || io->rwf)
		return syscall_io(io);
	do
		ret = io->op == IO_READ ? preadv(io->file->fd, &v, 1, (off_t)io->offset)
					: pwritev(io->file->fd, &v, 1, (off_t)io->offset);
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret;
}

const struct engine engine_pvsync = {
	.name = "pvsync",
	.help = "preadv and pwritev, one at a time",
	.caps = ENG_SYNC,
	.do_one = pvsync_do_one,
};
