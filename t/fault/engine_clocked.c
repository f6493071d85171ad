#include "engine_clocked.h"

#include <string.h>
#include <time.h>

#define US 1000ull

struct clocked_plan clocked_plan;

struct state {
	struct io *queue[64]; /* I/Os in flight */
	uint64_t due_ns[64];
	unsigned n;
	uint32_t rec[64]; /* index of its record, by io->index */
	uint64_t left_ns; /* when the last call returned */
	uint32_t last[64];
	unsigned nlast, kept; /* I/Os of the last call, whose record ends with the next call */
	bool reaped;
};

uint64_t clocked_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Most I/Os take 0.3 ms, some take longer, and the last of a hundred much longer. */
static uint64_t service_ns(uint32_t number)
{
	if (number % 100 == 50)
		return 3000 * US;
	return number % 10 == 3 ? 600 * US : 300 * US;
}

static void sleep_until(uint64_t ns)
{
	uint64_t now = clocked_now();
	struct timespec ts = { .tv_nsec = (long)(ns > now ? ns - now : 0) };

	if (ns > now && ts.tv_nsec < 1000000000)
		nanosleep(&ts, NULL);
	while (clocked_now() < ns)
		;
}

static void work(uint64_t ns)
{
	uint64_t until = clocked_now() + ns;

	while (clocked_now() < until)
		;
}

/* A reap right after a reap may be one wait of fiord's for several I/Os: then the first ones are recorded
 * with the rest. */
static void enter(struct state *s, bool reaps)
{
	uint64_t now = clocked_now();

	for (unsigned i = 0; i < s->nlast; i++) {
		struct clocked_io *io = &clocked_plan.log->io[s->last[i]];

		if (s->reaped)
			io->done.to_ns = now;
		else
			io->issue.to_ns = now;
	}
	s->kept = reaps && s->reaped ? s->nlast : 0;
	s->nlast = s->kept;
}

static void leave(struct state *s, bool reaped)
{
	s->reaped = reaped;
	s->left_ns = clocked_now();
	for (unsigned i = s->kept; i < s->nlast; i++) {
		struct clocked_io *io = &clocked_plan.log->io[s->last[i]];

		if (reaped)
			io->done.from_ns = s->left_ns;
		else
			io->issue.from_ns = s->left_ns;
	}
}

static int clocked_init(struct engine_ctx *ctx)
{
	struct state *s = ctx->state;

	s->left_ns = clocked_now();
	return 0;
}

static void record(struct state *s, const struct io *io, unsigned n, uint64_t now)
{
	struct clocked_log *log = clocked_plan.log;
	uint32_t i = log->n < CLOCKED_IOS ? log->n++ : CLOCKED_IOS - 1;

	log->io[i] = (struct clocked_io){ .start = { s->left_ns, now }, .n = n };
	s->rec[io->index] = s->last[s->nlast++] = i;
}

static int submit(struct engine_ctx *ctx, struct io **ios, unsigned n, bool sync)
{
	struct state *s = ctx->state;
	uint64_t now = clocked_now();

	enter(s, false);
	for (unsigned i = 0; i < n; i++) {
		record(s, ios[i], n, now);
		if (!sync)
			work(clocked_plan.submit_ns);
		s->queue[s->n] = ios[i];
		s->due_ns[s->n] = clocked_now() + service_ns(s->rec[ios[i]->index]);
		if (sync)
			sleep_until(s->due_ns[s->n]);
		s->n++;
	}
	leave(s, false);
	return (int)n;
}

static int clocked_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	return submit(ctx, ios, n, false);
}

static int clocked_submit_sync(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	return submit(ctx, ios, n, true);
}

static unsigned due(const struct state *s, uint64_t now)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->n; i++)
		n += s->due_ns[i] <= now;
	return n;
}

static uint64_t soonest(const struct state *s, uint64_t now)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < s->n; i++)
		if (s->due_ns[i] > now && s->due_ns[i] < least)
			least = s->due_ns[i];
	return least;
}

/* Without a rate the wait has no timeout. */
static int clocked_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max,
			uint64_t timeout_ns)
{
	struct state *s = ctx->state;
	unsigned n = 0, left = 0;
	uint64_t now;

	(void)timeout_ns;
	enter(s, true);
	for (now = clocked_now(); due(s, now) < min; now = clocked_now())
		sleep_until(soonest(s, now));
	for (unsigned i = 0; i < s->n; i++) {
		if (n < max && s->due_ns[i] <= now) {
			out[n++] = s->queue[i];
			s->queue[i]->res = s->queue[i]->len;
			s->last[s->nlast++] = s->rec[s->queue[i]->index];
			continue;
		}
		s->queue[left] = s->queue[i];
		s->due_ns[left++] = s->due_ns[i];
	}
	s->n = left;
	leave(s, true);
	return (int)n;
}

static void clocked_fini(struct engine_ctx *ctx)
{
	enter(ctx->state, false);
}

const struct engine engine_clocked = {
	.name = "clocked",
	.help = "does nothing, takes its time, and writes down when",
	.caps = ENG_NOFILE,
	.state_size = sizeof(struct state),
	.init = clocked_init,
	.submit = clocked_submit,
	.reap = clocked_reap,
	.fini = clocked_fini,
};

const struct engine engine_clocked_sync = {
	.name = "clocked_sync",
	.help = "the same at once",
	.caps = ENG_NOFILE | ENG_SYNC,
	.state_size = sizeof(struct state),
	.init = clocked_init,
	.submit = clocked_submit_sync,
	.reap = clocked_reap,
	.fini = clocked_fini,
};
