/* psync: pread and pwrite, one I/O at a time. */
#include "engine_parts.h"
#include "io.h"

static int64_t psync_do_one(struct engine_ctx *ctx, struct io *io)
{
	(void)ctx;
	return syscall_io(io);
}

const struct engine engine_psync = {
	.name = "psync",
	.help = "pread and pwrite, one at a time (the default)",
	.caps = ENG_SYNC,
	.do_one = psync_do_one,
};
