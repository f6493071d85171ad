#include "engine_timed.h"

#include <errno.h>
#include <string.h>
#include "clock.h"

struct timed_plan timed_plan;

/* In the order of completion, since all take the same time. */
struct state {
	struct io *queue[1024];
	uint64_t done_ns[1024];
	unsigned n;
	uint64_t free_ns; /* one_at_a_time: when the last I/O ends */
	struct timed_lane *lane;
};

static int timed_init(struct engine_ctx *ctx)
{
	struct state *s = ctx->state;
	struct timed_log *log = timed_plan.log;
	unsigned lane = log ? log->lanes++ : 0;

	s->lane = log && lane < TIMED_LANES ? &log->lane[lane] : NULL;
	return 0;
}

static void record(struct timed_lane *l, const struct io *io)
{
	if (l && l->n < TIMED_IOS)
		l->io[l->n++] = (struct timed_io){ clock_ns(), io->offset, io->len, io->target, io->dir };
}

static uint64_t completion(uint64_t start)
{
	const struct timed_plan *t = &timed_plan;
	uint64_t service = t->service_at ? t->service_at(start) : t->service_ns;
	uint64_t end = start + service, stall_end = t->stall_from_ns + t->stall_ns;

	if (!t->stall_ns || end <= t->stall_from_ns || start >= stall_end)
		return end;
	return start > t->stall_from_ns ? stall_end + service : end + t->stall_ns;
}

static int timed_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	struct state *s = ctx->state;
	uint64_t start;

	for (unsigned i = 0; i < n; i++) {
		record(s->lane, ios[i]);
		s->queue[s->n] = ios[i];
		start = clock_ns();
		if (timed_plan.one_at_a_time && s->free_ns > start)
			start = s->free_ns;
		s->done_ns[s->n++] = s->free_ns = completion(start);
	}
	return (int)n;
}

static unsigned done(const struct state *s, unsigned max)
{
	unsigned n = 0;

	while (n < s->n && n < max && s->done_ns[n] <= clock_ns())
		n++;
	return n;
}

static bool fails(void)
{
	return timed_plan.fail_from_ns && clock_ns() > timed_plan.fail_from_ns;
}

/* Time advances to the next completion, or to the end of the caller's timeout. A poll takes a nanosecond. */
static int timed_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max,
		      uint64_t timeout_ns)
{
	uint64_t now = clock_ns(), until = timeout_ns > UINT64_MAX - now ? UINT64_MAX : now + timeout_ns;
	struct state *s = ctx->state;
	unsigned n;

	while ((n = done(s, max)) < min && clock_ns() < until)
		clock_skip(s->done_ns[n] < until ? s->done_ns[n] : until);
	if (!n && !timeout_ns)
		clock_skip(now + 1);
	for (unsigned i = 0; i < n; i++) {
		out[i] = s->queue[i];
		out[i]->res = fails() ? -EIO : (int64_t)out[i]->len;
	}
	s->n -= n;
	memmove(s->queue, s->queue + n, s->n * sizeof(*s->queue));
	memmove(s->done_ns, s->done_ns + n, s->n * sizeof(*s->done_ns));
	return (int)n;
}

static void timed_fini(struct engine_ctx *ctx)
{
	(void)ctx;
}

const struct engine engine_timed = {
	.name = "timed",
	.help = "does nothing, and takes its time",
	.caps = ENG_NOFILE,
	.state_size = sizeof(struct state),
	.init = timed_init,
	.submit = timed_submit,
	.reap = timed_reap,
	.fini = timed_fini,
};
