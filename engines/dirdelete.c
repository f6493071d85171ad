/* dirdelete: one I/O removes one empty directory. */
#include <errno.h>
#include <unistd.h>
#include "engine_parts.h"

static int dirdelete_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	(void)n;
	return depth_one_done(ctx->state, ios[0], rmdir(ios[0]->file->path) ? -errno : (int64_t)ios[0]->len);
}

const struct engine engine_dirdelete = {
	.name = "dirdelete",
	.help = "one I/O removes one empty directory",
	.caps = ENG_SYNC | ENG_META | ENG_DELETES | ENG_DIRS,
	.state_size = sizeof(struct depth_one),
	.submit = dirdelete_submit,
	.reap = depth_one_reap,
};
