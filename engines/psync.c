/* psync: pread and pwrite, one I/O at a time. */
#include "engine_parts.h"
#include "io.h"

static int psync_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	(void)n;
	return depth_one_done(ctx->state, ios[0], syscall_io(ios[0]));
}

static int64_t psync_do_one(struct engine_ctx *ctx, struct io *io)
{
	(void)ctx;
	return syscall_io(io);
}

const struct engine engine_psync = {
	.name = "psync",
	.help = "pread and pwrite, one at a time (the default)",
	.caps = ENG_SYNC,
	.state_size = sizeof(struct depth_one),
	.submit = psync_submit,
	.reap = depth_one_reap,
	.do_one = psync_do_one,
};
