/* filedelete: one I/O removes one file. */
#include <errno.h>
#include <unistd.h>
#include "engine_parts.h"

static int filedelete_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	(void)n;
	return depth_one_done(ctx->state, ios[0], unlink(ios[0]->file->path) ? -errno : (int64_t)ios[0]->len);
}

const struct engine engine_filedelete = {
	.name = "filedelete",
	.help = "one I/O removes one file",
	.caps = ENG_SYNC | ENG_META | ENG_DELETES,
	.state_size = sizeof(struct depth_one),
	.submit = filedelete_submit,
	.reap = depth_one_reap,
};
