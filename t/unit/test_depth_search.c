/* Does the search find the greatest depth that meets the target? The device here serves one I/O after the
   other, so that latency is depth times service time, and the answer is target / service. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "depth_search.h"

#define MS 1000000ull

/* Does one window with a latency of depth x service. */
static void try_depth(struct depth_search *s, uint64_t *now, uint64_t service)
{
	uint32_t depth = s->depth;
	uint64_t steps = s->nsteps;

	while (s->nsteps == steps) {
		uint64_t start = *now;

		*now += depth * service;
		for (uint32_t i = 0; i < depth; i++)
			depth_search_add(s, start, *now);
		depth_search_judge(s, *now);
	}
}

static void test_answers(void **state)
{
	static const struct {
		uint32_t max;
		uint64_t target, service;
		uint32_t depth; /* 0: none meets the target */
	} rows[] = {
		{ 64, 20 * MS, MS, 20 },     { 64, 21 * MS - 1, MS, 20 },
		{ 64, 64 * MS, MS, 64 },     { 64, 63 * MS, MS, 63 },
		{ 64, MS, MS, 1 },           { 64, MS - 1, MS, 0 },
		{ 2, 2 * MS, MS, 2 },        { 2, MS, MS, 1 },
		{ 1000, 777 * MS, MS, 777 }, { 3, 2 * MS, MS, 2 },
		{ 100, 99 * MS, MS, 99 },    { 65536, 40000 * MS, MS, 40000 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct latency_target_cfg c = { rows[i].target, 100 * MS, 100, false };
		struct depth_search s;
		uint64_t now = 5 * MS;

		depth_search_init(&s, &c, rows[i].max);
		depth_search_begin(&s, now);
		while (!s.found)
			try_depth(&s, &now, rows[i].service);
		assert_int_equal(s.low, rows[i].depth);
		assert_int_equal(s.depth, rows[i].depth ? rows[i].depth : 1);
		assert_true(s.nsteps <= 40);
	}
}

/* 99 of 100 I/Os have to meet the target: 99 do, 98 do not. The I/O that ends the settling does not count. */
static void test_percentile(void **state)
{
	const struct latency_target_cfg c = { MS, 10 * MS, 99, false };

	(void)state;
	for (unsigned late = 1; late <= 2; late++) {
		struct depth_search s;

		depth_search_init(&s, &c, 8);
		depth_search_begin(&s, MS);
		depth_search_add(&s, 0, 2 * MS); /* began before */
		assert_false(s.window_begun);
		depth_search_add(&s, MS, 50 * MS);
		assert_true(s.window_begun && !s.ios);
		for (unsigned i = 0; i < 100; i++)
			depth_search_add(&s, 50 * MS, i < late ? 52 * MS : 51 * MS);
		assert_false(depth_search_judge(&s, 59 * MS));
		assert_true(depth_search_judge(&s, 60 * MS));
		assert_int_equal(s.steps[0].met, late == 1);
		assert_int_equal(s.steps[0].ios, 100);
		assert_int_equal(s.steps[0].within, 100 - late);
		assert_in_range(s.steps[0].lat_ns, late == 1 ? MS - MS / 64 : MS + 1,
				late == 1 ? MS : 2 * MS);
	}
}

/* The answer is a window at this depth of a device that serves one I/O in `service`: its latency is
   depth x service, and it had an I/O in each `service`, whatever the device was like before. */
static void check_answer(const struct depth_search *s, bool met, uint32_t depth, uint64_t service)
{
	struct depth_step a = depth_search_answer(s);

	assert_true(a.ios > 0);
	assert_int_equal(a.met, met);
	assert_int_equal(a.depth, depth);
	assert_int_equal(a.lat_ns, depth * service);
	assert_in_range(a.completed, a.ns / service - depth, a.ns / service + depth);
}

/* The device becomes slower, and faster again: the depth follows. */
static void test_run(void **state)
{
	const struct latency_target_cfg c = { 32 * MS, 100 * MS, 100, true };
	struct depth_search s;
	uint64_t now = 5 * MS;

	(void)state;
	depth_search_init(&s, &c, 64);
	depth_search_begin(&s, now);
	for (unsigned i = 0; i < 20; i++)
		try_depth(&s, &now, MS);
	assert_true(s.low >= 31 && s.low <= 32);
	for (unsigned i = 0; i < 30; i++)
		try_depth(&s, &now, 4 * MS);
	assert_true(s.low == 8);
	check_answer(&s, true, 8, 4 * MS);
	for (unsigned i = 0; i < 200; i++)
		try_depth(&s, &now, 2 * MS);
	assert_true(s.low == 16);
}

/* While a later search goes on, the answer is the depth found last. A miss at depth 1 begins the count of
   windows anew, and depth 1 is no answer any more. */
static void test_answer(void **state)
{
	const struct latency_target_cfg c = { 32 * MS, 100 * MS, 100, true };
	struct depth_search s;
	uint64_t now = 5 * MS;

	(void)state;
	depth_search_init(&s, &c, 64);
	depth_search_begin(&s, now);
	assert_false(s.ever_found);
	assert_int_equal(depth_search_answer(&s).ios, 0);
	while (!s.found)
		try_depth(&s, &now, MS);
	assert_int_equal(s.last_found, 32);
	try_depth(&s, &now, 4 * MS);
	assert_false(s.found);
	assert_true(s.ever_found);
	assert_int_equal(s.last_found, 32);
	while (!s.found)
		try_depth(&s, &now, 32 * MS);
	assert_int_equal(s.last_found, 1);
	for (unsigned i = 0; i < 7; i++)
		try_depth(&s, &now, 32 * MS);
	assert_int_equal(s.last_found, 1);
	try_depth(&s, &now, 33 * MS);
	assert_true(s.found);
	assert_int_equal(s.last_found, 0);
	check_answer(&s, false, 1, 33 * MS);
	try_depth(&s, &now, 32 * MS);
	assert_int_equal(s.depth, 1);
	assert_int_equal(s.last_found, 1);
}

int unit_depth_search(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_percentile),
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
