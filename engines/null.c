/* null: completes every I/O without doing it. Measures the cost of the core itself. */
#include "engine.h"
#include "doneq.h"

struct null_state {
	struct doneq done;
};

static int null_init(struct engine_ctx *ctx)
{
	struct null_state *s = ctx->state;
	int ret = doneq_init(&s->done, ctx->depth);

	return ret ? diag_err(ctx->d, ret, "ioengine=null: out of memory") : 0;
}

static int null_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	struct null_state *s = ctx->state;

	for (unsigned i = 0; i < n; i++)
		doneq_push(&s->done, ios[i], ios[i]->op <= IO_TRIM ? ios[i]->len : 0);
	return (int)n;
}

static int null_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max, uint64_t timeout_ns)
{
	struct null_state *s = ctx->state;

	(void)min, (void)timeout_ns;
	return (int)doneq_pop(&s->done, out, max);
}

static void null_fini(struct engine_ctx *ctx)
{
	struct null_state *s = ctx->state;

	doneq_fini(&s->done);
}

const struct engine engine_null = {
	.name = "null",
	.help = "completes every I/O without doing it",
	.caps = ENG_NOFILE | ENG_VIRTUAL,
	.state_size = sizeof(struct null_state),
	.init = null_init,
	.submit = null_submit,
	.reap = null_reap,
	.fini = null_fini,
};
