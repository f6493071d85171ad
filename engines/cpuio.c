/* cpuio: does no I/O; keeps a share of a CPU busy, in bursts. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "clock.h"
#include "engine.h"
#include "rng.h"
#include "types.h"

enum cpu_mode { CPU_NOOP, CPU_QSORT };

struct cpuio_opts {
	uint32_t load; /* percent */
	uint64_t piece_ns;
	unsigned mode;
	bool exit_on_io_done;
};

/* Numbers that qsort sorts: more than the first-level cache holds, and about a millisecond of work. */
#define NUMBERS 16384u
/* Spins between two reads of the clock. */
#define SPINS 20000u

struct cpuio_state {
	uint32_t *numbers;
	struct rng rng;
};

static int by_value(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void burn(struct cpuio_state *s)
{
	if (s->numbers) {
		for (unsigned i = 0; i < NUMBERS; i++)
			s->numbers[i] = (uint32_t)rng_u64(&s->rng);
		qsort(s->numbers, NUMBERS, sizeof(*s->numbers), by_value);
		return;
	}
	for (volatile unsigned i = 0; i < SPINS; i++)
		;
}

static uint64_t cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Keeps the CPU busy for piece_ns of CPU time or, if others want the CPU, until the next burst is due.
   Returns false if the job must end. */
static bool burn_piece(struct cpuio_state *s, const struct engine_work *w, uint64_t piece_ns, uint64_t due)
{
	uint64_t end = cpu_ns() + piece_ns, next_check = clock_ns();

	while (cpu_ns() < end) {
		uint64_t now = clock_ns();

		if (now >= due)
			break;
		if (now >= next_check) {
			if (w->must_stop(w->arg))
				return false;
			next_check = now + 1000000;
		}
		burn(s);
	}
	return true;
}

static int cpuio_work(struct engine_ctx *ctx, const struct engine_work *w)
{
	const struct cpuio_opts *o = ctx->opts;
	struct cpuio_state *s = ctx->state;
	uint64_t period = o->piece_ns * 100 / o->load, due = clock_ns();

	while (!w->must_stop(w->arg) && !(o->exit_on_io_done && w->io_jobs_ended(w->arg))) {
		uint64_t now;

		due += period;
		if (!burn_piece(s, w, o->piece_ns, due))
			break;
		now = clock_ns();
		if (now < due && w->sleep(w->arg, due - now))
			break;
		if (now > due + period) /* the engine does not catch up on CPU time that others used */
			due = now;
	}
	return 0;
}

static const char *cpuio_refuse(const void *opts)
{
	const struct cpuio_opts *o = opts;

	return o->load ? NULL : "cpuio needs cpuload=, the share of a CPU to keep busy in percent";
}

static int cpuio_init(struct engine_ctx *ctx)
{
	const struct cpuio_opts *o = ctx->opts;
	struct cpuio_state *s = ctx->state;

	if (o->mode == CPU_QSORT) {
		s->numbers = calloc(NUMBERS, sizeof(*s->numbers));
		if (!s->numbers)
			return diag_err(ctx->d, -ENOMEM, "{ioengine=cpuio}: out of memory");
		rng_init(&s->rng, 1);
	}
	snprintf(ctx->info, sizeof(ctx->info), "%s, %u%% of a CPU in bursts of %" PRIu64 " usec",
		 o->mode == CPU_QSORT ? "qsort" : "noop", o->load, o->piece_ns / 1000);
	return 0;
}

static void cpuio_fini(struct engine_ctx *ctx)
{
	struct cpuio_state *s = ctx->state;

	free(s->numbers);
}

/* clang-format off */
#define OPT_STRUCT struct cpuio_opts
static const struct opt_row cpuio_rows[] = {
	{ .name = "cpuload", OPT_U32(load), OPT_RANGE(1, 100), .group = "cpuio",
	  .help = "Share of a CPU to keep busy, in percent" },
	{ .name = "cpuchunks", OPT_TIME(piece_ns, OPT_US), .def = "50000", OPT_RANGE(OPT_US, 3600 * OPT_S), .group = "cpuio",
	  .help = "CPU time of one busy period" },
	{ .name = "cpumode", OPT_ENUM(mode,
		{ "noop", CPU_NOOP, "An empty loop" },
		{ "qsort", CPU_QSORT, "Sorts numbers, which also uses caches and branch prediction" }), .def = "noop", .group = "cpuio",
	  .help = "Kind of work that keeps the CPU busy" },
	{ .name = "exit_on_io_done", OPT_BOOL(exit_on_io_done), .def = "0", .group = "cpuio",
	  .help = "End when the jobs that do I/O at the same time have ended" },
	{ .name = NULL },
};
/* clang-format on */
static const struct opt_table cpuio_table = { cpuio_rows, sizeof(struct cpuio_opts) };

const struct engine engine_cpuio = {
	.name = "cpuio",
	.help = "does no I/O; keeps a share of a CPU busy",
	.caps = ENG_NOIO | ENG_NOFILE | ENG_SYNC,
	.state_size = sizeof(struct cpuio_state),
	.opts = &cpuio_table,
	.opts_size = sizeof(struct cpuio_opts),
	.init = cpuio_init,
	.work = cpuio_work,
	.refuse = cpuio_refuse,
	.fini = cpuio_fini,
};
