/* Do jobs that end by what they measure find the right answer? On a virtual clock, with an engine that takes
   a known time; the answers are worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "clock.h"
#include "cmdline.h"
#include "engine_timed.h"
#include "plan.h"
#include "run.h"
#include "run_snapshot.h"
#include "steady.h"
#include "ticker.h"

#define MS    1000000ull
#define S     1000000000ull
#define START (5 * S)
#define ARGS  32

struct bench {
	struct job_set set;
	struct plan plan;
	struct run run;
};

/* Runs jobs of the timed engine with these options, which are separated by blanks. */
static void begin(struct bench *b, const char *options)
{
	static const struct run_hooks hooks;
	char text[512], *argv[ARGS] = { (char *)"fiord", (char *)"--name=t", (char *)"--ioengine=null",
					(char *)"--size=64m", (char *)"--bs=4k" };
	struct cmdline c = { 0 };
	struct facts facts = { 0 };
	struct diag d = { 0 };
	int argc = 5;

	memset(b, 0, sizeof(*b));
	strcpy(text, options);
	for (char *at = strtok(text, " "); at; at = strtok(NULL, " "))
		argv[argc++] = at;
	assert_true(argc < ARGS);
	clock_virtual_ns = START;
	assert_int_equal(cmdline_parse(&c, &b->set, argc, argv, &d), 0);
	for (size_t i = 0; i < b->set.njobs; i++)
		b->set.jobs[i].engine = &engine_timed;
	assert_int_equal(plan_build(&b->plan, &b->set, &facts, &d), 0);
	assert_int_equal(run_plan(&b->run, &b->plan, &hooks, &d), 0);
	diag_fini(&d);
}

static void end(struct bench *b)
{
	run_fini(&b->run);
	plan_fini(&b->plan);
	job_set_fini(&b->set);
}

/* ---- steadystate ---- */

static const uint64_t *service; /* of the seconds, or of the tens of seconds; the last one stays */
static unsigned services;
static uint64_t service_step_ns;

static uint64_t changing(uint64_t now)
{
	uint64_t i = (now - START) / service_step_ns;

	return service[i < services ? i : services - 1];
}

/* I/Os of 10, 8, 5, 4, 2 and 1 ms: 100, 125, 200, 250, 500 and 1000 per second. Services divide the seconds,
   so that no I/O crosses a second. */
static void test_steady(void **state)
{
	static const uint64_t warming[] = { 10 * MS, 8 * MS, 5 * MS, 4 * MS, 2 * MS, MS };
	static const struct {
		const char *options;
		uint64_t attained_s, samples, mean; /* attained_s 0: not attained */
	} rows[] = {
		{ "--ss=iops:1% --ss_dur=3", 8, 3, 1000 },
		{ "--ss=iops_slope:1% --ss_dur=3", 8, 3, 1000 },
		{ "--ss=iops_slope:0.5 --ss_dur=4", 9, 4, 1000 },
		/* 125 200 250: a slope of 62.5 in 191.7, 32.6 %; 100 125 200: 50 in 141.7, 35.3 % */
		{ "--ss=iops_slope:33% --ss_dur=3", 4, 3, 192 },
		/* 125 200 250: a deviation of 66.7, 34.8 %; 100 125 200: 58.3 in 141.7, 41.2 % */
		{ "--ss=iops:35% --ss_dur=3", 4, 3, 192 },
		{ "--ss=bw:1 --ss_dur=2", 7, 2, 1000 },
		{ "--ss=lat:1% --ss_dur=2", 7, 2, 1000 },
		{ "--ss=lat_slope:1% --ss_dur=2 --ss_ramp=9", 11, 2, 1000 },
		{ "--ss=iops:1% --ss_dur=3 --ss_ramp=7", 10, 3, 1000 },
		{ "--ss=iops:1% --ss_dur=30 --ss_ramp=7 --ss_interval=10", 40, 3, 1000 },
		{ "--ss=iops:1% --ss_dur=3 --numjobs=2", 8, 3, 1000 },
		{ "--ss=iops:1% --ss_dur=3 --numjobs=3 --group_reporting", 8, 3, 3000 },
		{ "--ss=iops:1% --ss_dur=3 --ramp_time=4", 4, 3, 1000 },
		{ "--ss=iops:1% --ss_dur=39 --ss_ramp=1", 0, 39, 925 },
	};

	(void)state;
	service = warming;
	services = 6;
	service_step_ns = S;
	timed_plan = (struct timed_plan){ .service_at = changing };
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char options[256] = "--rw=read --runtime=40 --time_based ";
		const struct steady_window *w;
		struct steady_figures f;
		struct bench b;

		begin(&b, strcat(options, rows[i].options));
		w = ticker_steady(b.run.ticker, 0);
		assert_non_null(w);
		steady_window_figures(w, &f);
		if (w->cfg.of != STEADY_IOPS)
			f.mean = 1000;
		if (w->attained != (rows[i].attained_s != 0) ||
		    (w->attained && w->seen * w->cfg.interval_ns != rows[i].attained_s * S) ||
		    w->n != rows[i].samples || (uint64_t)(f.mean + 0.5) != rows[i].mean)
			fail_msg("%s: attained %d after %u s, %zu samples of %f", options, w->attained,
				 (unsigned)(w->seen * w->cfg.interval_ns / S), w->n, f.mean);
		end(&b);
	}
}

/* The second job of the group is measured 6 s later than the first: those samples of the first job alone do
   not count, and the group is steady at 9 s. */
static void test_late_member(void **state)
{
#define JOB "--rw=read --runtime=20 --time_based --ss=iops:50% --ss_dur=3 --group_reporting "
	const struct steady_window *w;
	struct steady_figures f;
	struct bench b;

	(void)state;
	timed_plan = (struct timed_plan){ .service_ns = MS };
	begin(&b, JOB "--name=late --ioengine=null --size=64m --bs=4k --ramp_time=6 " JOB);
	w = ticker_steady(b.run.ticker, 0);
	assert_true(w->attained);
	steady_window_figures(w, &f);
	assert_int_equal((uint64_t)(f.mean + 0.5), 2000);
	assert_int_equal(w->seen, 3);
	assert_int_equal(w->left_out, 6);
	end(&b);
}

/* Rounds of 10 s with 5000, 3125, 2560 ... I/Os. Of rounds 2 to 6 the range is 565 in 2899, 19.5 %, but the
   line falls by 678, 23.4 %. Of rounds 3 to 7 it falls by 226, 7.8 %. */
static void test_snia(void **state)
{
	static const uint64_t rounds[] = { 2 * MS,  3200000, 3200000, 3200000,
					   3906250, 3906250, 3200000, 3906250 };
	static const uint64_t ios[] = { 3125, 3125, 2560, 2560, 3125 };
	const struct steady_window *w;
	struct steady_figures f;
	struct bench b;

	(void)state;
	service = rounds;
	services = 8;
	service_step_ns = 10 * S;
	timed_plan = (struct timed_plan){ .service_at = changing };
	begin(&b, "--rw=read --runtime=100 --time_based --ss=snia --ss_interval=10");
	w = ticker_steady(b.run.ticker, 0);
	assert_true(w->attained);
	assert_int_equal(w->seen, 7);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(steady_window_at(w, i)->ios, ios[i]);
	steady_window_figures(w, &f);
	assert_true(steady_range_percent(&f) > 19.48 && steady_range_percent(&f) < 19.50);
	assert_true(steady_rise_percent(&f, 5) > -7.80 && steady_rise_percent(&f, 5) < -7.79);
	end(&b);
}

/* ---- latency_target ---- */

/* The device does one I/O after the other, each in 1 ms: the latency is the depth in ms. */
static void test_depth(void **state)
{
	static const struct {
		const char *options;
		uint32_t depth, steps[8]; /* in the order of the search */
	} rows[] = {
		{ "--iodepth=64 --latency_target=20500", 20, { 64, 32, 16, 24, 20, 22, 21 } },
		{ "--iodepth=64 --latency_target=20ms", 20, { 64, 32, 16, 24, 20, 22, 21 } },
		{ "--iodepth=64 --latency_target=64ms", 64, { 64 } },
		{ "--iodepth=64 --latency_target=1ms --latency_percentile=90",
		  1,
		  { 64, 32, 16, 8, 4, 2, 1 } },
		{ "--iodepth=12 --latency_target=11ms --ramp_time=2", 11, { 12, 6, 9, 10, 11 } },
		{ "--iodepth=12 --latency_target=500", 1, { 12, 6, 3, 1 } },
	};

	(void)state;
	timed_plan = (struct timed_plan){ .service_ns = MS, .one_at_a_time = true };
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char options[256] = "--rw=read --runtime=100 --time_based --latency_window=1s ";
		const struct depth_search *s;
		struct snapshot one = { 0 };
		struct bench b;
		uint64_t n = 0;

		begin(&b, strcat(options, rows[i].options));
		s = slot_part(run_slot(&b.run, 0), &b.plan.jobs[0], SLOT_SEARCH);
		assert_true(s->found);
		while (n < 8 && rows[i].steps[n]) {
			if (n >= s->nsteps || s->steps[n].depth != rows[i].steps[n])
				fail_msg("%s: step %u is %u", options, (unsigned)n, s->steps[n].depth);
			n++;
		}
		assert_int_equal(s->nsteps, n);
		assert_int_equal(s->depth, rows[i].depth);
		assert_int_equal(depth_search_answer(s).depth, rows[i].depth);
		assert_int_equal(depth_search_answer(s).lat_ns / MS, rows[i].depth);
		/* The I/Os in flight at the beginning are not judged. */
		assert_int_equal(depth_search_answer(s).completed, 999);
		assert_int_equal(depth_search_answer(s).ios, 999 + 1 - rows[i].depth);
		/* The measurement is one window at this depth, between two completions that do not count. */
		assert_int_equal(run_snapshot(&b.run, 0, &one), 0);
		wstat_fold(one.st, &b.plan.jobs[0].layout);
		assert_int_equal(run_slot(&b.run, 0)->run_end_ns - run_slot(&b.run, 0)->run_start_ns, S);
		assert_int_equal(one.st->dir[DIR_READ].ios, 999);
		assert_int_equal(one.st->dir[DIR_READ].lat[LAT_LAT].max, rows[i].depth * MS);
		snap_fini(&one);
		end(&b);
	}
}

/* A job whose I/Os fail ends with its runtime: from the start, while it searches, and after the search. */
static void test_depth_errors(void **state)
{
	static const uint64_t fail_from_s[] = { 0, 3, 6 };

	(void)state;
	for (size_t i = 0; i < sizeof(fail_from_s) / sizeof(fail_from_s[0]); i++) {
		struct bench b;
		uint64_t ns;

		timed_plan = (struct timed_plan){ .service_ns = MS,
						  .one_at_a_time = true,
						  .fail_from_ns = START + fail_from_s[i] * S };
		begin(&b, "--rw=read --runtime=20 --time_based --iodepth=8 --latency_window=1s "
			  "--ignore_error=EIO "
			  "--latency_target=4ms --latency_percentile=90 --ramp_time=2");
		ns = run_slot(&b.run, 0)->run_end_ns - START;
		if (ns > 22 * S + 8 * MS)
			fail_msg("errors from %u s: ends after %u ms", (unsigned)fail_from_s[i],
				 (unsigned)(ns / MS));
		end(&b);
	}
}

int unit_until(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steady),       cmocka_unit_test(test_snia),
		cmocka_unit_test(test_depth),        cmocka_unit_test(test_late_member),
		cmocka_unit_test(test_depth_errors),
	};

	clock_virtual = true;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
