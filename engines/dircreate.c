/* dircreate: one I/O creates one directory. */
#include <errno.h>
#include <sys/stat.h>
#include "engine_parts.h"

static int dircreate_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	struct file *f = ios[0]->file;
	int ret = mkdir(f->path, 0755);

	(void)n;
	f->created = ret == 0;
	return depth_one_done(ctx->state, ios[0], ret ? -errno : (int64_t)ios[0]->len);
}

const struct engine engine_dircreate = {
	.name = "dircreate",
	.help = "one I/O creates one directory",
	.caps = ENG_SYNC | ENG_META | ENG_CREATES | ENG_DIRS,
	.state_size = sizeof(struct depth_one),
	.submit = dircreate_submit,
	.reap = depth_one_reap,
};
