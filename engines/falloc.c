/* falloc: a write allocates the block, a read allocates it without growing the file, and a trim punches a
   hole. */
#include <errno.h>
#include <fcntl.h>
#include "engine_parts.h"
#include "io.h"

static int64_t allocate(const struct io *io)
{
	static const int modes[DIR_DATA] = { [DIR_READ] = FALLOC_FL_KEEP_SIZE,
					     [DIR_WRITE] = 0,
					     [DIR_TRIM] = FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE };
	int ret;

	do
		ret = fallocate(io->file->fd, modes[io->dir], (off_t)io->offset, io->len);
	while (ret && errno == EINTR);
	return ret ? -errno : (int64_t)io->len;
}

static int falloc_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	(void)n;
	return depth_one_done(ctx->state, ios[0],
			      ios[0]->op <= IO_TRIM ? allocate(ios[0]) : syscall_io(ios[0]));
}

const struct engine engine_falloc = {
	.name = "falloc",
	.help = "calls fallocate: a write allocates, a read allocates beyond the end, a trim punches a hole",
	.caps = ENG_SYNC | ENG_CHANGES_FILES,
	.state_size = sizeof(struct depth_one),
	.submit = falloc_submit,
	.reap = depth_one_reap,
};
