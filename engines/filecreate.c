/* filecreate: one I/O creates one file. */
#include <errno.h>
#include <fcntl.h>
#include "engine_parts.h"

static int64_t filecreate_do_one(struct engine_ctx *ctx, struct io *io)
{
	struct file *f = io->file;
	bool is_new = f->type == TARGET_MISSING;

	(void)ctx;
	f->fd = open(f->path, O_RDWR | O_CLOEXEC | (is_new ? O_CREAT | O_EXCL : O_NONBLOCK), 0644);
	f->created = f->fd >= 0 && is_new;
	return f->fd < 0 ? -errno : (int64_t)io->len;
}

const struct engine engine_filecreate = {
	.name = "filecreate",
	.help = "one I/O creates one file",
	.caps = ENG_SYNC | ENG_META | ENG_CREATES,
	.do_one = filecreate_do_one,
};
