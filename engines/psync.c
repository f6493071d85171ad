/* psync: pread and pwrite, one I/O at a time. */
#include "engine.h"

struct psync_state {
	struct io *done; /* done and not yet reaped */
};

static int psync_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	struct psync_state *s = ctx->state;

	(void)n;
	ios[0]->res = eng_plain(ios[0]);
	s->done = ios[0];
	return 1;
}

static int psync_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max,
		      uint64_t timeout_ns)
{
	struct psync_state *s = ctx->state;

	(void)min, (void)max, (void)timeout_ns;
	if (!s->done)
		return 0;
	out[0] = s->done;
	s->done = NULL;
	return 1;
}

const struct engine engine_psync = {
	.name = "psync",
	.help = "pread and pwrite, one at a time (the default)",
	.caps = ENG_SYNC,
	.state_size = sizeof(struct psync_state),
	.submit = psync_submit,
	.reap = psync_reap,
};
