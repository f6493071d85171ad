/* Do the jobs of a flow keep the proportion of their weights, whatever their order? The bounds follow from
   the rule in gen/flow.h: a job may issue an I/O if its count is below its share of each other job's count,
   plus its depth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "flow.h"
#include "plan.h"
#include "region.h"
#include "region_flow.h"
#include "rng.h"

#define JOBS_MAX 7u

struct sim_job {
	uint32_t weight, lead;
	uint64_t ios, wanted; /* wanted: it is held until it may issue so many; 0: it is not held */
};

static uint64_t allowed(const struct sim_job *j, unsigned n, unsigned i)
{
	uint64_t least = UINT64_MAX;

	for (unsigned k = 0; k < n; k++) {
		uint64_t a = flow_allowed(j[i].weight, j[i].lead, j[k].ios, j[k].weight);

		least = k != i && a < least ? a : least;
	}
	return least;
}

/* One job tries to issue. Returns whether it did. */
static bool step(struct sim_job *j, unsigned n, unsigned i)
{
	uint64_t most = allowed(j, n, i);

	if (j[i].wanted && most < j[i].wanted)
		return false;
	j[i].wanted = 0;
	if (j[i].ios >= most) {
		j[i].wanted = flow_wanted(j[i].ios, j[i].lead);
		return false;
	}
	j[i].ios++;
	return true;
}

static void check_bounds(const struct sim_job *j, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < n; k++) /* ios <= share + lead, without a division */
			assert_true(i == k ||
				    (double)j[i].ios * j[k].weight <=
					    (double)j[k].ios * j[i].weight + (double)j[i].lead * j[k].weight);
}

/* Jobs in random order, and with random bursts of one job, never exceed the bound, and never all wait. */
static void test_bound(void **state)
{
	struct rng r;

	(void)state;
	rng_init(&r, 18);
	for (unsigned round = 0; round < 300; round++) {
		struct sim_job j[JOBS_MAX] = { 0 };
		unsigned n = 2 + (unsigned)rng_below(&r, JOBS_MAX - 1);

		for (unsigned i = 0; i < n; i++) {
			j[i].weight = 1 + (uint32_t)rng_below(&r, round % 2 ? 4 : FLOW_WEIGHT_MAX);
			j[i].lead = 1 + (uint32_t)rng_below(&r, round % 3 ? 40 : 1);
		}
		for (unsigned turn = 0; turn < 400; turn++) {
			unsigned i = (unsigned)rng_below(&r, n), burst = (unsigned)rng_below(&r, 200);
			bool any = false;

			for (unsigned k = 0; k < burst && step(j, n, i); k++)
				;
			check_bounds(j, n);
			for (unsigned k = 0; k < n; k++)
				any |= step(j, n, k);
			assert_true(any);
			check_bounds(j, n);
		}
	}
}

static void test_shares(void **state)
{
	static const struct {
		uint32_t weight;
		uint64_t ios;
		uint32_t other;
		uint64_t share;
	} rows[] = {
		{ 1, 0, 4, 0 },       { 1, 3, 4, 0 },
		{ 1, 4, 4, 1 },       { 4, 1, 1, 4 },
		{ 2, 5, 3, 3 },       { 3, 5, 2, 7 },
		{ 1, 1, 1, 1 },       { 1000, 1, 1, 1000 },
		{ 1, 1000, 1000, 1 }, { 1000, UINT64_MAX / 1000, 1000, UINT64_MAX / 1000 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(flow_share(rows[i].weight, rows[i].ios, rows[i].other), rows[i].share);
		assert_int_equal(flow_allowed(rows[i].weight, 16, rows[i].ios, rows[i].other),
				 rows[i].share + 16);
	}
	/* With depth 1 a job waits for one I/O; it never waits for more than its depth. */
	assert_int_equal(flow_wanted(9, 1), 10);
	for (uint32_t lead = 1; lead < 100; lead++)
		assert_in_range(flow_wanted(9, lead), 10, 9 + lead);
}

/* Three jobs 1:4:2; the third starts later. */
static struct plan_flow flows[] = {
	{ .members = 3, .weight = 1, .lead = 1, .end_ns = 100 },
	{ .members = 3, .weight = 4, .lead = 1, .end_ns = 100 },
	{ .members = 3, .weight = 2, .lead = 1, .end_ns = 200, .joins_later = true },
};

static void test_join_and_leave(void **state)
{
	struct region_flow v[3] = { 0 };
	const struct region r = { .flows = v };
	const struct plan p = { .flows = flows, .nflows = 3 };
	struct flow_hold h = { .deadline_ns = 100, .holder = 9 };

	(void)state;
	region_flow_init(&r, &p);
	assert_true(region_flow_incomplete(&r, &p, 0));
	assert_int_equal(region_flow_allowed(&r, &p, 0, &h),
			 1); /* no job waits for one that has not started */
	assert_int_equal(h.holder, 1);
	assert_int_equal(region_flow_allowed(&r, &p, 1, &h), 1);
	assert_int_equal(h.holder, 0);
	assert_int_equal(region_flow_join(&r, &p, 0), 0); /* it has been active from the start */
	region_flow_issued(&r, &p, 0, 10);
	region_flow_issued(&r, &p, 1, 41);
	assert_int_equal(region_flow_allowed(&r, &p, 0, &h), 11);
	assert_int_equal(region_flow_allowed(&r, &p, 1, &h), 41);
	assert_int_equal(region_flow_join(&r, &p, 2), 20); /* its share of the first job's 10 I/Os */
	assert_false(region_flow_incomplete(&r, &p, 0));
	assert_int_equal(region_flow_allowed(&r, &p, 2, &h), 21);
	/* The time of the first job is up. It holds the second, which ends then, too, and not the third. */
	region_flow_leave(&r, &p, 0, FLOW_TIME_UP, 100);
	assert_int_equal(region_flow_allowed(&r, &p, 1, &h), 41);
	h.holder = 9;
	assert_int_equal(region_flow_allowed(&r, &p, 2, &h), 21); /* by the second job: 41 / 2 + 1 */
	assert_int_equal(h.holder, 1);
	h.deadline_ns = UINT64_MAX;                               /* pauses to verify have moved its end */
	assert_int_equal(region_flow_allowed(&r, &p, 1, &h), 41); /* by the third: 20 * 2 + 1 */
	assert_int_equal(h.holder, 2);
	/* No job waits for jobs that have done all their I/O, or have failed. */
	region_flow_leave(&r, &p, 2, FLOW_LEFT, 0);
	assert_int_equal(region_flow_allowed(&r, &p, 1, &h), UINT64_MAX);
	region_flow_leave(&r, &p, 0, FLOW_LEFT, 0); /* too late: its time was up */
	h.deadline_ns = 100;
	assert_int_equal(region_flow_allowed(&r, &p, 1, &h), 41);
}

int unit_flow(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_join_and_leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
