/* filecreate: one I/O creates one file. */
#include <errno.h>
#include <fcntl.h>
#include "engine_parts.h"

static int filecreate_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	struct file *f = ios[0]->file;
	bool is_new = f->type == TARGET_MISSING;

	(void)n;
	f->fd = open(f->path, O_RDWR | O_CLOEXEC | (is_new ? O_CREAT | O_EXCL : O_NONBLOCK), 0644);
	f->created = f->fd >= 0 && is_new;
	return depth_one_done(ctx->state, ios[0], f->fd < 0 ? -errno : (int64_t)ios[0]->len);
}

const struct engine engine_filecreate = {
	.name = "filecreate",
	.help = "one I/O creates one file",
	.caps = ENG_SYNC | ENG_META | ENG_CREATES,
	.state_size = sizeof(struct depth_one),
	.submit = filecreate_submit,
	.reap = depth_one_reap,
};
