/* dircreate: one I/O creates one directory. */
#include <errno.h>
#include <sys/stat.h>
#include "engine_parts.h"

static int64_t dircreate_do_one(struct engine_ctx *ctx, struct io *io)
{
	(void)ctx;
	io->file->created = mkdir(io->file->path, 0755) == 0;
	return io->file->created ? (int64_t)io->len : -errno;
}

const struct engine engine_dircreate = {
	.name = "dircreate",
	.help = "one I/O creates one directory",
	.caps = ENG_SYNC | ENG_META | ENG_CREATES | ENG_DIRS,
	.do_one = dircreate_do_one,
};
