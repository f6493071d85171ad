/* dirdelete: one I/O removes one empty directory. */
#include <errno.h>
#include <unistd.h>
#include "engine_parts.h"

static int64_t dirdelete_do_one(struct engine_ctx *ctx, struct io *io)
{
	(void)ctx;
	return rmdir(io->file->path) ? -errno : (int64_t)io->len;
}

const struct engine engine_dirdelete = {
	.name = "dirdelete",
	.help = "one I/O removes one empty directory",
	.caps = ENG_SYNC | ENG_META | ENG_DELETES | ENG_DIRS,
	.do_one = dirdelete_do_one,
};
