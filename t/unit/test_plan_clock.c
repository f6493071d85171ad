/* Which clock does a run get, from the options of its jobs and the features of the CPU? */
#include "test_jobs.h"
#include "plan.h"

static const struct {
	const char *args;
	bool tsc, kernel;
	const char *says; /* a part of the only note; NULL: no note */
} cases[] = {
	{ "--name=a", true, false, NULL },
	{ "--name=a", false, false, NULL },
	{ "--name=a --clocksource=cpu", true, false, NULL },
	{ "--name=a --clocksource=cpu", false, false, "does not trust this CPU's counter" },
	{ "--name=a --clocksource=clock_gettime", true, true, NULL },
	{ "--name=a --name=b --clocksource=gettimeofday", true, true, NULL },
	{ "--name=a --clocksource=cpu --name=b --clocksource=clock_gettime", true, true,
	  "a run has one clock" },
	{ "--clocksource=clock_gettime --name=a --clocksource=auto --name=b", true, true, NULL },
};

static void test_clock(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct facts f = { .tsc = cases[i].tsc };
		struct plan plan = { 0 };
		struct diag d = { 0 };
		struct parsed p;
		char args[256];

		snprintf(args, sizeof(args), "--ioengine=null --size=4k %s", cases[i].args);
		parse_args(&p, args);
		assert_int_equal(p.err, 0);
		assert_int_equal(plan_build(&plan, &p.set, &f, &d), 0);
		assert_int_equal(plan.kernel_clock, cases[i].kernel);
		assert_int_equal(plan.notes.count, cases[i].says != NULL);
		if (cases[i].says)
			assert_non_null(strstr(plan.notes.line[0], cases[i].says));
		plan_fini(&plan);
		diag_fini(&d);
		free_parsed(&p);
	}
}

/* Jobs with stats=0 are members of no group and have no members. */
static void test_left_out(void **state)
{
	static const uint32_t report[] = { 0, 1, 2, 1 };
	struct facts f = { 0 };
	struct plan plan = { 0 };
	struct diag d = { 0 };
	struct parsed p;

	(void)state;
	parse_args(&p, "--ioengine=null --size=4k --group_reporting --name=a --stats=0 --name=b --name=c "
		       "--stats=0 --name=d");
	assert_int_equal(plan_build(&plan, &p.set, &f, &d), 0);
	assert_int_equal(plan.nreports, 3);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(plan.jobs[i].report, report[i]);
	plan_fini(&plan);
	diag_fini(&d);
	free_parsed(&p);
}

static void test_notes(void **state)
{
	struct parsed p;

	(void)state;
	parse_args(&p, "--ioengine=null --size=4k --name=a --clocksource=gettimeofday");
	assert_int_equal(p.err, 0);
	assert_true(has_note(
		&p, "--clocksource=gettimeofday: times come from clock_gettime, because the time of day "
		    "can jump and has a resolution of microseconds"));
	free_parsed(&p);
	parse_args(&p, "--ioengine=null --size=4k --name=a --job_start_clock_id=4711");
	assert_int_equal(p.err, -EINVAL);
	free_parsed(&p);
}

int unit_plan_clock(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_clock), cmocka_unit_test(test_left_out),
					    cmocka_unit_test(test_notes) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
