/* falloc: a write allocates the block, a read allocates it without growing the file, and a trim punches a
   hole. */
#include <errno.h>
#include <fcntl.h>
#include "engine_parts.h"
#include "io.h"

static int64_t falloc_do_one(struct engine_ctx *ctx, struct io *io)
{
	static const int modes[DIR_DATA] = { [DIR_READ] = FALLOC_FL_KEEP_SIZE,
					     [DIR_WRITE] = 0,
					     [DIR_TRIM] = FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE };
	int ret;

	(void)ctx;
	if (io->op > IO_TRIM)
		return syscall_io(io);
	do
		ret = fallocate(io->file->fd, modes[io->dir], (off_t)io->offset, io->len);
	while (ret && errno == EINTR);
	return ret ? -errno : (int64_t)io->len;
}

const struct engine engine_falloc = {
	.name = "falloc",
	.help = "calls fallocate: a write allocates, a read allocates beyond the end, a trim punches a hole",
	.caps = ENG_SYNC | ENG_CHANGES_FILES,
	.do_one = falloc_do_one,
};
