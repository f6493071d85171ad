/* How long may a healthy run take at most? The limits come from the jobs' own times, computed by hand. */
#include "test_jobs.h"
#include "time_limit.h"

#define S UINT64_C(1000000000)

static const struct {
	const char *args;
	uint32_t waves;
	uint64_t run[2];
} cases[] = {
	{ "--name=a --runtime=5", 1, { 5 * S } },
	{ "--name=a", 1, { TIME_UNLIMITED } },
	{ "--name=a --runtime=5 --ramp_time=2 --startdelay=3", 1, { 10 * S } },
	{ "--name=a --runtime=5 --name=b --runtime=7", 1, { 7 * S } },
	{ "--name=a --runtime=5 --name=b --runtime=7 --stonewall", 2, { 5 * S, 7 * S } },
	{ "--name=a --runtime=5 --name=b --runtime=7 --wait_for=a", 1, { 12 * S } },
	{ "--name=a --runtime=5 --name=b", 1, { TIME_UNLIMITED } },
	{ "--name=a --runtime=5 --end_fsync=1", 1, { TIME_UNLIMITED } },
	{ "--name=a --runtime=5 --exec_postrun=true", 1, { TIME_UNLIMITED } },
};

/* Pauses in which these jobs complete no I/O. */
static const struct {
	const char *args;
	uint64_t pause;
} pauses[] = {
	{ "--name=a", 0 },
	{ "--name=a --startdelay=3 --name=b --startdelay=9", 9 * S },
	{ "--name=a --runtime=5 --cooldown=4 --thinktime=7s", 11 * S },
	{ "--name=a --thinktime=7s-8s", 8 * S },
	{ "--name=a --bs=4k --rate_iops=2", S / 2 },
	{ "--name=a --bs=4k --rate=1k", 4 * S },
	{ "--name=a --bs=4k --rate_iops=2 --rate_process=poisson", 15 * S },
	{ "--name=a --runtime=60 --time_based --rate_steps=0s:0,20s:10,50s:20", 51 * S },
	{ "--name=a --name=b --stonewall --startdelay=9", 0 },
};

static void planned(const char *options, void (*look)(const struct plan *, size_t row), size_t row)
{
	struct facts f = { 0 };
	struct plan plan = { 0 };
	struct diag d = { 0 };
	struct parsed p;
	char args[256];

	snprintf(args, sizeof(args), "--ioengine=null --size=4k %s", options);
	parse_args(&p, args);
	assert_int_equal(p.err, 0);
	assert_int_equal(plan_build(&plan, &p.set, &f, &d), 0);
	look(&plan, row);
	plan_fini(&plan);
	diag_fini(&d);
	free_parsed(&p);
}

static void look_at_limits(const struct plan *plan, size_t row)
{
	assert_int_equal(plan->nwaves, cases[row].waves);
	for (uint32_t w = 0; w < plan->nwaves; w++) {
		assert_int_equal(time_limit_run(plan, w), cases[row].run[w]);
		assert_int_equal(time_limit_layout(plan, w), 0);
	}
}

static void test_run(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		planned(cases[i].args, look_at_limits, i);
}

static void look_at_pause(const struct plan *plan, size_t row)
{
	assert_int_equal(time_limit_pause(plan, 0), pauses[row].pause);
}

static void test_pause(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(pauses) / sizeof(pauses[0]); i++)
		planned(pauses[i].args, look_at_pause, i);
}

/* 1 MB/s and 10 ms for each file; files of other clones and present ones take no time. */
static void test_layout(void **state)
{
	struct job job = { 0 };
	struct plan_file files[] = {
		{ .layout = LAYOUT_FILL, .owner = true, .size = 5000000 },
		{ .layout = LAYOUT_FILL, .size = 7000000 },
		{ .layout = LAYOUT_NONE, .owner = true, .size = 9000000 },
		{ .layout = LAYOUT_FILL, .owner = true, .size = 3000000, .layout_from = 1000000 },
	};
	struct plan_job jobs[] = { { .job = &job, .files = files, .nfiles = 4 },
				   { .job = &job, .files = files, .nfiles = 1, .wave = 1 } };
	struct target_facts facts = { 0 };
	struct plan_target target = { .facts = &facts };
	struct plan p = { .jobs = jobs, .njobs = 2, .nwaves = 2, .targets = &target };

	(void)state;
	assert_int_equal(time_limit_layout(&p, 0), 7 * S + 2 * 10000000);
	assert_int_equal(time_limit_layout(&p, 1), 5 * S + 10000000);
	job.opts.group.exec_prerun = (char *)(uintptr_t) "true";
	assert_int_equal(time_limit_layout(&p, 0), TIME_UNLIMITED);
}

static void test_add(void **state)
{
	(void)state;
	assert_int_equal(time_limit_add(2, 3), 5);
	assert_int_equal(time_limit_add(TIME_UNLIMITED, 1), TIME_UNLIMITED);
	assert_int_equal(time_limit_add(TIME_UNLIMITED - 1, 2), TIME_UNLIMITED);
}

int unit_time_limit(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_pause),
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_add),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
