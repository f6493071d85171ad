/* ftruncate: a write sets the length of the file to its offset. */
#include <errno.h>
#include <unistd.h>
#include "engine_parts.h"
#include "io.h"

static int64_t ftruncate_do_one(struct engine_ctx *ctx, struct io *io)
{
	int ret;

	(void)ctx;
	if (io->op != IO_WRITE)
		return syscall_io(io);
	do
		ret = ftruncate(io->file->fd, (off_t)io->offset);
	while (ret && errno == EINTR);
	return ret ? -errno : (int64_t)io->len;
}

const struct engine engine_ftruncate = {
	.name = "ftruncate",
	.help = "calls ftruncate: a write sets the length of the file to its offset",
	.caps = ENG_SYNC | ENG_CHANGES_FILES,
	.only = 1u << DIR_WRITE,
	.do_one = ftruncate_do_one,
};
