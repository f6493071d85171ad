/* filedelete: one I/O removes one file. */
#include <errno.h>
#include <unistd.h>
#include "engine_parts.h"

static int64_t filedelete_do_one(struct engine_ctx *ctx, struct io *io)
{
	(void)ctx;
	return unlink(io->file->path) ? -errno : (int64_t)io->len;
}

const struct engine engine_filedelete = {
	.name = "filedelete",
	.help = "one I/O removes one file",
	.caps = ENG_SYNC | ENG_META | ENG_DELETES,
	.do_one = filedelete_do_one,
};
