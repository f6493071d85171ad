#include "engine_fault.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "clock.h"

struct fault_plan fault_plan;

struct state {
	struct io *queue[1024];
	unsigned n, submits, reaps, done;
	bool trimmed[FAULT_BLOCKS];
};

static bool each(unsigned count, unsigned every)
{
	return every && count % every == 0;
}

static int fault_init(struct engine_ctx *ctx)
{
	if (fault_plan.die_at_init)
		raise(SIGKILL);
	return fault_plan.fail_init ? diag_err(ctx->d, -EIO, "the fault engine does not start") : 0;
}

static int fault_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	struct state *s = ctx->state;

	s->submits++;
	if (fault_plan.die_at && s->submits == fault_plan.die_at)
		raise(SIGKILL);
	if (fault_plan.break_submit && s->submits == fault_plan.break_submit)
		return -EIO;
	if (each(s->submits, fault_plan.refuse_every))
		return 0;
	if (fault_plan.partial && n > fault_plan.partial)
		n = fault_plan.partial;
	memcpy(s->queue + s->n, ios, n * sizeof(*ios));
	s->n += n;
	return (int)n;
}

/* Returns the result of a write: an error if its block has not been trimmed before. */
static int64_t write_trimmed(const struct state *s, const struct io *io)
{
	return s->trimmed[io->offset / FAULT_BLOCK % FAULT_BLOCKS] ? (int64_t)io->len : -EILSEQ;
}

static int64_t outcome(struct state *s, const struct io *io)
{
	s->done++;
	if (fault_plan.trim_first && io->op == IO_WRITE)
		return write_trimmed(s, io);
	if (fault_plan.fail_at && s->done == fault_plan.fail_at)
		return -fault_plan.error;
	if (fault_plan.zero_at && s->done == fault_plan.zero_at)
		return 0;
	if (each(s->done, fault_plan.again_every))
		return -EINTR;
	if (each(s->done, fault_plan.short_every) && io->len > 512)
		return io->len / 2;
	if (io->op == IO_TRIM)
		s->trimmed[io->offset / FAULT_BLOCK % FAULT_BLOCKS] = true;
	return io->len;
}

static int fault_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max,
		      uint64_t timeout_ns)
{
	struct state *s = ctx->state;
	unsigned n = s->n < max ? s->n : max;

	(void)min;
	(void)timeout_ns;
	s->reaps++;
	if (fault_plan.stall_at && s->reaps == fault_plan.stall_at)
		clock_sleep_until(clock_ns() + fault_plan.stall_ns);
	if (fault_plan.break_reap && s->reaps == fault_plan.break_reap)
		return -EIO;
	if (each(s->reaps, fault_plan.interrupt_every))
		return 0;
	for (unsigned i = 0; i < n; i++) {
		out[i] = s->queue[i];
		out[i]->res = outcome(s, out[i]);
	}
	s->n -= n;
	memmove(s->queue, s->queue + n, s->n * sizeof(*s->queue));
	return (int)n;
}

static void fault_fini(struct engine_ctx *ctx)
{
	(void)ctx;
}

const struct engine engine_fault = {
	.name = "fault",
	.help = "does nothing, wrongly",
	.caps = ENG_NOFILE,
	.state_size = sizeof(struct state),
	.init = fault_init,
	.submit = fault_submit,
	.reap = fault_reap,
	.fini = fault_fini,
};
