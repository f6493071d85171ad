/* null: completes every I/O without doing it. Measures the cost of the core itself. */
#include "engine.h"
#include "engine_parts.h"

struct null_state {
	struct done_queue done;
};

static int null_init(struct engine_ctx *ctx)
{
	struct null_state *s = ctx->state;
	int ret = done_queue_init(&s->done, ctx->depth);

	return ret ? diag_err(ctx->d, ret, "{ioengine=null}: out of memory") : 0;
}

static int64_t transferred(const struct io *io)
{
	return io->op <= IO_TRIM ? io->len : 0;
}

static int null_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	struct null_state *s = ctx->state;

#pragma GCC unroll 4
	for (unsigned i = 0; i < n; i++)
		ios[i]->res = transferred(ios[i]);
	done_queue_put(&s->done, ios, n);
	return (int)n;
}

static int null_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max, uint64_t timeout_ns)
{
	struct null_state *s = ctx->state;

	(void)min, (void)timeout_ns;
	return (int)done_queue_pop(&s->done, out, max);
}

static int64_t null_do_one(struct engine_ctx *ctx, struct io *io)
{
	(void)ctx;
	return transferred(io);
}

static void null_fini(struct engine_ctx *ctx)
{
	struct null_state *s = ctx->state;

	done_queue_fini(&s->done);
}

const struct engine engine_null = {
	.name = "null",
	.help = "completes every I/O without doing it",
	.caps = ENG_NOFILE | ENG_VIRTUAL,
	.state_size = sizeof(struct null_state),
	.init = null_init,
	.submit = null_submit,
	.reap = null_reap,
	.do_one = null_do_one,
	.fini = null_fini,
};
