/* Are the results of n ranks the result of one rank with n times the jobs? On a virtual clock, so that the
   latencies of both are the same to the nanosecond. The results go to rank 0 as packs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "clock.h"
#include "cmdline.h"
#include "collect.h"
#include "engine_timed.h"
#include "merge.h"
#include "plan.h"
#include "result_pack.h"
#include "run.h"
#include "strbuf.h"

#define S       1000000000ull
#define START   (5 * S)
#define ARGS    24
#define RANKS   5
#define VERSION "1.0.0"

/* From 1 us to some 2 ms, by the number of the I/O in its worker, which is a process. */
static uint64_t changing(uint64_t now)
{
	static uint64_t ios;
	uint64_t x = ++ios * 0x9e3779b97f4a7c15ull;

	(void)now;
	return 1000 + (x >> 32) % (1u << (8 + (x >> 61) * 2));
}

/* Runs jobs with these options, which are separated by blanks, and collects their result. */
static void run(struct result *r, const char *options, unsigned numjobs)
{
	static const struct run_hooks hooks;
	char text[256], clones[32], *argv[ARGS] = { (char *)"fiord",
						    (char *)"--name=t",
						    (char *)"--ioengine=null",
						    (char *)"--size=16m",
						    clones,
						    (char *)"--group_reporting" };
	struct job_set set = { 0 };
	struct cmdline c = { 0 };
	struct facts facts = { 0 };
	struct plan plan = { 0 };
	struct run one = { 0 };
	struct diag d = { 0 };
	int argc = 6;

	snprintf(clones, sizeof(clones), "--numjobs=%u", numjobs);
	snprintf(text, sizeof(text), "%s", options);
	for (char *at = strtok(text, " "); at; at = strtok(NULL, " "))
		argv[argc++] = at;
	assert_true(argc < ARGS);
	clock_virtual = true;
	clock_virtual_ns = START;
	timed_plan = (struct timed_plan){ .service_at = changing };
	assert_int_equal(cmdline_parse(&c, &set, argc, argv, &d), 0);
	set.run.merge = true;
	for (size_t i = 0; i < set.njobs; i++)
		set.jobs[i].engine = &engine_timed;
	assert_int_equal(plan_build(&plan, &set, &facts, &d), 0);
	assert_int_equal(run_plan(&one, &plan, &hooks, &d), 0);
	result_init(r, "fiord", VERSION, "3.42");
	assert_int_equal(collect_run(r, &plan, &one, NULL, 0), 0);
	assert_int_equal(r->njobs, 1);
	run_fini(&one);
	plan_fini(&plan);
	job_set_fini(&set);
	diag_fini(&d);
}

/* Runs the jobs once for each rank, and merges their packs. */
static void run_ranks(struct result *sum, const char *options)
{
	struct result_merge *m = result_merge_new("fiord", VERSION, "3.42", true);
	struct diag d = { 0 };

	for (unsigned rank = 0; rank < RANKS; rank++) {
		struct strbuf pack = { 0 };
		struct result own, got;
		char host[16];

		snprintf(host, sizeof(host), "n%u", rank);
		run(&own, options, 1);
		assert_int_equal(result_pack(&own, &pack), 0);
		assert_int_equal(result_unpack(&got, VERSION, pack.text, pack.len, &d), 0);
		assert_int_equal(result_merge_add(m, &got, host, &d), 0);
		strbuf_fini(&pack);
		result_free(&own);
		result_free(&got);
	}
	assert_int_equal(result_merge_finish(m, sum, &d), 0);
	assert_int_equal(sum->njobs, RANKS + 1);
	result_merge_free(m);
}

static void same_bins(const struct result_bins *a, const struct result_bins *b)
{
	assert_int_equal(a->n, b->n);
	assert_memory_equal(a->ns, b->ns, a->n * sizeof(*a->ns));
	assert_memory_equal(a->count, b->count, a->n * sizeof(*a->count));
}

static void same_latency(const struct result_job *a, const struct result_job *b, unsigned dir, unsigned kind)
{
	const struct summary_lat *x = &a->sum.dir[dir].lat[kind], *y = &b->sum.dir[dir].lat[kind];

	assert_int_equal(x->n, y->n);
	assert_int_equal(x->min, y->min);
	assert_int_equal(x->max, y->max);
	assert_true(x->mean == y->mean && x->stddev == y->stddev);
	assert_int_equal(x->percentiles, y->percentiles);
	for (unsigned i = 0; i < a->sum.npercentiles; i++)
		assert_int_equal(x->value[i], y->value[i]);
	same_bins(&a->bins[dir][kind], &b->bins[dir][kind]);
}

static void same_figures(const struct result_job *a, const struct result_job *b, unsigned dir)
{
	const struct summary_dir *x = &a->sum.dir[dir], *y = &b->sum.dir[dir];

	assert_int_equal(x->ios, y->ios);
	assert_int_equal(x->bytes, y->bytes);
	assert_int_equal(x->runtime_ms, y->runtime_ms);
	assert_int_equal(x->bw_bytes, y->bw_bytes);
	assert_true(x->iops == y->iops);
	for (unsigned kind = 0; kind < LAT_KINDS; kind++)
		same_latency(a, b, dir, kind);
}

static void test_ranks(void **state)
{
	static const char *const options[] = {
		"--rw=randread --bs=4k",
		"--rw=write --bs=4k --iodepth=8",
		"--rw=read --bs=16k --rate_iops=500 --lat_percentiles=1 --percentile_list=50:99.9:100",
		"--rw=randwrite --bs=4k --ramp_time=100ms --time_based --runtime=1",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		struct result sum, one;
		const struct result_job *all;

		run_ranks(&sum, options[i]);
		run(&one, options[i], RANKS);
		all = sum.jobs[RANKS];
		assert_string_equal(all->name, MERGE_ALL_CLIENTS);
		assert_int_equal(all->members, RANKS);
		assert_int_equal(one.jobs[0]->members, RANKS);
		assert_true(all->sum.dir[DIR_READ].ios + all->sum.dir[DIR_WRITE].ios >= 5000);
		assert_true(all->bins[DIR_READ][LAT_CLAT].n + all->bins[DIR_WRITE][LAT_CLAT].n > 100);
		for (unsigned dir = 0; dir < DIR_DATA; dir++)
			same_figures(all, one.jobs[0], dir);
		result_free(&sum);
		result_free(&one);
	}
}

int unit_ranks(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_ranks) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
