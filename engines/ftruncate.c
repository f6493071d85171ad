/* ftruncate: a write sets the length of the file to its offset. */
#include <errno.h>
#include <unistd.h>
#include "engine_parts.h"
#include "io.h"

static int64_t set_length(const struct io *io)
{
	int ret;

	do
		ret = ftruncate(io->file->fd, (off_t)io->offset);
	while (ret && errno == EINTR);
	return ret ? -errno : (int64_t)io->len;
}

static int ftruncate_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	(void)n;
	return depth_one_done(ctx->state, ios[0],
			      ios[0]->op == IO_WRITE ? set_length(ios[0]) : syscall_io(ios[0]));
}

const struct engine engine_ftruncate = {
	.name = "ftruncate",
	.help = "calls ftruncate: a write sets the length of the file to its offset",
	.caps = ENG_SYNC | ENG_CHANGES_FILES,
	.only = 1u << DIR_WRITE,
	.state_size = sizeof(struct depth_one),
	.submit = ftruncate_submit,
	.reap = depth_one_reap,
};
