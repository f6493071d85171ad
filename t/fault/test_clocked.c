/* Do latencies agree with another clock? The engine records, by CLOCK_MONOTONIC_RAW, the moments between
   which each stamp must have been taken (engine_clocked.h). They give each latency a minimum and a maximum;
   sorted, these bound each percentile, the extremes and the mean. A busy machine widens the bounds of the
   I/Os that it disturbs, but never makes them wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "clock.h"
#include "cmdline.h"
#include "engine_clocked.h"
#include "plan.h"
#include "run.h"
#include "run_snapshot.h"
#include "summary.h"

#define ARGS 20
#define IOS  1000u

/* The kernel may adjust its two clocks against each other; if they differ by more, the test says nothing. */
#define SLEW 0.001
/* The tolerance of a percentile is half a bucket of the histogram. */
#define BUCKET (1.0 / 128)

struct bounds {
	double least[CLOCKED_IOS], most[CLOCKED_IOS];
};

static double slewed;
static unsigned disagreements;
static bool quiet;

/* ---- the engine's record ---- */

/* The bounds of a moment that lies `part` n-ths of the way from the stamp before a submit to the stamp behind
 * it. */
static struct clocked_gap between(const struct clocked_io *io, unsigned part)
{
	double f = (double)part / io->n;
	const struct clocked_gap *a = &io->start, *b = &io->issue;

	return (struct clocked_gap){
		a->from_ns + (uint64_t)(f * (double)(b->from_ns - a->from_ns)),
		a->to_ns + (uint64_t)(f * (double)(b->to_ns - a->to_ns)),
	};
}

/* Each I/O of a call begins with the call, and its submission latency is an equal share of the call:
   fiord-differences(7), "Time stamps". A synchronous engine has no submission latency. */
static void bounds_of(const struct clocked_io *io, enum lat_kind kind, bool sync, double *least, double *most)
{
	struct clocked_gap from = between(io, kind == LAT_CLAT && !sync);

	if (kind == LAT_SLAT) {
		*least = ((double)io->issue.from_ns - (double)io->start.to_ns) / io->n;
		*most = ((double)io->issue.to_ns - (double)io->start.from_ns) / io->n;
		return;
	}
	*least = (double)io->done.from_ns - (double)from.to_ns;
	*most = (double)io->done.to_ns - (double)from.from_ns;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void gather(struct bounds *b, const struct clocked_log *log, enum lat_kind kind, bool sync)
{
	for (uint32_t i = 0; i < log->n; i++)
		bounds_of(&log->io[i], kind, sync, &b->least[i], &b->most[i]);
	qsort(b->least, log->n, sizeof(double), by_value);
	qsort(b->most, log->n, sizeof(double), by_value);
}

static double mean(const double *v, uint32_t n)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += v[i];
	return sum / n;
}

/* ---- fiord's figures ---- */

static void agree(const char *what, double said, double least, double most, double tolerance)
{
	tolerance += SLEW;
	if (said >= least * (1 - tolerance) - 2 && said <= most * (1 + tolerance) + 2)
		return;
	disagreements++;
	if (quiet)
		return;
	print_message("%s: %.0f ns, by the other clock %.0f to %.0f\n", what, said, least, most);
}

static void agree_all(const char *name, const struct summary *s, const struct summary_lat *l,
		      const struct bounds *b, uint32_t n)
{
	char what[64];

	snprintf(what, sizeof(what), "%s min", name);
	agree(what, (double)l->min, b->least[0], b->most[0], 0);
	snprintf(what, sizeof(what), "%s max", name);
	agree(what, (double)l->max, b->least[n - 1], b->most[n - 1], 0);
	snprintf(what, sizeof(what), "%s mean", name);
	agree(what, l->mean, mean(b->least, n), mean(b->most, n), 0);
	for (unsigned i = 0; i < s->npercentiles && l->percentiles; i++) {
		uint32_t rank = (uint32_t)ceil(s->percentiles[i] / 100 * n) - 1;

		snprintf(what, sizeof(what), "%s %g%%", name, s->percentiles[i]);
		agree(what, (double)l->value[i], b->least[rank], b->most[rank], BUCKET);
	}
}

static void judge(const struct run *r, const struct clocked_log *log, bool sync)
{
	static const char *const name[] = { "slat", "clat", "lat" };
	const struct summary_cfg all = { .percentiles_of = { true, true, true } };
	static struct bounds b;
	struct snapshot snap = { 0 };
	struct summary sum;

	assert_int_equal(run_snapshot(r, 0, &snap), 0);
	summary_from(&sum, &snap, &all);
	snap_fini(&snap);
	assert_int_equal(sum.dir[DIR_READ].ios, IOS);
	assert_int_equal(log->n, IOS);
	for (unsigned kind = sync ? LAT_CLAT : LAT_SLAT; kind <= LAT_LAT; kind++) {
		const struct summary_lat *l = &sum.dir[DIR_READ].lat[kind];

		gather(&b, log, kind, sync);
		print_message("%-4s p50 of %.0f to %.0f ns, max of %.0f to %.0f ns\n", name[kind],
			      b.least[IOS / 2], b.most[IOS / 2], b.least[IOS - 1], b.most[IOS - 1]);
		assert_true(l->percentiles);
		agree_all(name[kind], &sum, l, &b, log->n);
	}
}

/* Runs options separated by blanks. Returns the number of figures that disagree. */
static unsigned run(const char *options, const struct engine *engine)
{
	static const struct run_hooks hooks;
	char text[512], *argv[ARGS] = { (char *)"fiord",
					(char *)"--name=t",
					(char *)"--ioengine=null",
					(char *)"--size=64m",
					(char *)"--rw=read",
					(char *)"--slat_percentiles=1",
					(char *)"--lat_percentiles=1",
					(char *)"--number_ios=1000" };
	struct job_set set = { 0 };
	struct cmdline c = { 0 };
	struct facts facts = { 0 };
	struct plan p = { 0 };
	struct run r = { 0 };
	struct diag d = { 0 };
	int argc = 8;

	strcpy(text, options);
	for (char *at = strtok(text, " "); at; at = strtok(NULL, " "))
		argv[argc++] = at;
	disagreements = 0;
	clocked_plan.log->n = 0;
	assert_int_equal(cmdline_parse(&c, &set, argc, argv, &d), 0);
	set.jobs[0].engine = engine;
	assert_int_equal(plan_build(&p, &set, &facts, &d), 0);
	assert_int_equal(run_plan(&r, &p, &hooks, &d), 0);
	assert_int_equal(run_slot(&r, 0)->error, 0);
	judge(&r, clocked_plan.log, engine->caps & ENG_SYNC);
	run_fini(&r);
	plan_fini(&p);
	job_set_fini(&set);
	diag_fini(&d);
	return disagreements;
}

/* How far the kernel's two clocks have drifted apart during the run. */
static void run_agrees(const char *options, const struct engine *engine)
{
	uint64_t raw = clocked_now(), ns = clock_raw_ns();
	unsigned bad = run(options, engine);
	double ran = (double)(clocked_now() - raw);

	slewed = fabs((double)(clock_raw_ns() - ns) / ran - 1);
	if (slewed > SLEW / 2) {
		print_message("skipped: CLOCK_MONOTONIC is being adjusted by %.2f %%\n", slewed * 100);
		skip();
	}
	assert_int_equal(bad, 0);
}

static void test_sync(void **state)
{
	(void)state;
	run_agrees("--iodepth=1", &engine_clocked_sync);
}

static void test_one(void **state)
{
	(void)state;
	run_agrees("--iodepth=1", &engine_clocked);
}

/* One call submits all free I/Os. */
static void test_batches(void **state)
{
	(void)state;
	run_agrees("--iodepth=8 --iodepth_low=1", &engine_clocked);
	run_agrees("--iodepth=16 --iodepth_batch_complete_min=4", &engine_clocked);
}

/* One call per I/O. */
static void test_singly(void **state)
{
	(void)state;
	run_agrees("--iodepth=8 --iodepth_batch=1 --iodepth_batch_complete_max=1", &engine_clocked);
	for (uint32_t i = 0; i < clocked_plan.log->n; i++)
		assert_int_equal(clocked_plan.log->io[i].n, 1);
}

/* The test can fail: with a clock that is 2 % fast it does. */
static void test_wrong_clock(void **state)
{
	uint64_t mult = clock_tsc.mult;

	(void)state;
	if (!clock_tsc.on) {
		print_message("skipped: times come from the kernel\n");
		skip();
	}
	quiet = true;
	clock_tsc.mult += mult / 50;
	assert_int_not_equal(run("--iodepth=1", &engine_clocked_sync), 0);
	clock_tsc.mult = mult - mult / 50;
	assert_int_not_equal(run("--iodepth=8", &engine_clocked), 0);
	clock_tsc.mult = mult;
	quiet = false;
}

int unit_clocked(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sync),        cmocka_unit_test(test_one),
		cmocka_unit_test(test_batches),     cmocka_unit_test(test_singly),
		cmocka_unit_test(test_wrong_clock),
	};

	clocked_plan.submit_ns = 20000;
	clocked_plan.log = mmap(NULL, sizeof(*clocked_plan.log), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (clocked_plan.log == MAP_FAILED)
		return 1;
	clock_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
