/* When is a group of jobs steady, if its jobs begin long after its wave? The records are made here; the
   numbers of the samples follow from their times. */
#include "test_jobs.h"
#include "interval.h"
#include "plan.h"
#include "ticker.h"

#define LEN  10000000u /* ns of a sample: steadystate_check_interval=10ms */
#define LATE 2500000u  /* samples; more than the watch stores */

struct bench {
	struct parsed p;
	struct facts facts;
	struct plan plan;
	struct steady_watch *watch;
};

static int set_up(void **state)
{
	struct bench *b = calloc(1, sizeof(*b));
	struct diag d = { 0 };

	assert_non_null(b);
	parse_args(&b->p, "--ioengine=null --size=1g --runtime=100000 --time_based --group_reporting "
			  "--steadystate=iops:5% --steadystate_duration=1 --steadystate_check_interval=10ms "
			  "--name=a --name=b");
	assert_int_equal(b->p.err, 0);
	assert_int_equal(plan_build(&b->plan, &b->p.set, &b->facts, &d), 0);
	assert_int_equal(b->plan.nreports, 1);
	b->watch = steady_watch_new(&b->plan);
	assert_non_null(b->watch);
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	struct bench *b = *state;

	steady_watch_free(b->watch);
	plan_fini(&b->plan);
	free_parsed(&b->p);
	free(b);
	return 0;
}

/* Adds a record of `span` samples, of 10 I/Os each. */
static void add(struct bench *b, uint32_t job, uint64_t late, uint64_t first, uint64_t span)
{
	struct ival rec = { .first = first, .intervals = span };

	rec.dir[DIR_READ].ios = 10 * span;
	rec.dir[DIR_READ].bytes = 40960 * span;
	steady_watch_add(b->watch, job, late * LEN, &rec);
	steady_watch_judge(b->watch);
}

/* Adds samples of both jobs, one by one. Returns how many made the group steady; 0: 200 did not. */
static uint64_t samples_until_steady(struct bench *b, uint64_t late_a, uint64_t first_a)
{
	uint32_t report;

	for (uint64_t i = 0; i < 200; i++) {
		add(b, 0, late_a, first_a + i, 1);
		add(b, 1, LATE, i, 1);
		if (steady_watch_next(b->watch, &report))
			return i + 1;
	}
	return 0;
}

/* Returns the number of the sample behind the window, counted from the first one of any job. */
static uint64_t end_of_window(struct bench *b)
{
	const struct steady_window *w = steady_watch_window(b->watch, 0);

	return w->seen + w->left_out;
}

static void test_both_late(void **state)
{
	assert_int_equal(samples_until_steady(*state, LATE, 0), 100);
	assert_int_equal(end_of_window(*state), 100);
}

static void test_one_late(void **state)
{
	for (uint64_t first = 0; first < LATE; first += 100000)
		add(*state, 0, 0, first, 100000);
	assert_in_range(samples_until_steady(*state, 0, LATE), 100, 110);
	assert_in_range(end_of_window(*state), LATE + 100, LATE + 110);
}

int unit_steady_watch(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_both_late, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_one_late, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
