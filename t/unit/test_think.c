/* When does a job with think time do its I/Os, and what does a stall show? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "pace.h"
#include "think.h"

#define MS 1000000u

static void test_due(void **state)
{
	static const struct {
		struct think_cfg cfg;
		uint64_t now_ns, ios;
		bool due;
	} rows[] = {
		{ { .blocks = 8 }, 0, 7, false },
		{ { .blocks = 8 }, 0, 8, true },
		{ { .blocks = 8 }, 0, 20, true },
		{ { .blocks = 8 }, 1000 * MS, 7, false },
		{ { .iotime_ns = 10 * MS }, 10 * MS - 1, 1000, false },
		{ { .iotime_ns = 10 * MS }, 10 * MS, 0, true },
		{ { .iotime_ns = 10 * MS, .blocks = 5 }, 9 * MS, 5, true },
		{ { .iotime_ns = 10 * MS, .blocks = 5 }, 11 * MS, 4, true },
		{ { .iotime_ns = 10 * MS, .blocks = 5 }, 9 * MS, 4, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct think t = { 0 };

		assert_int_equal(think_due(&t, &rows[i].cfg, rows[i].now_ns, rows[i].ios), rows[i].due);
		t = (struct think){ .since_ns = 500 * MS, .since_ios = 30 };
		assert_int_equal(think_due(&t, &rows[i].cfg, rows[i].now_ns + 500 * MS, rows[i].ios + 30),
				 rows[i].due);
	}
}

/* 1000 I/Os per second, a rest of 100 ms, then one I/O per 0.5 ms until the job has caught up: only the rest
   delayed them. Then the device stalls for 50 ms, and all of that shows. */
/* The lengths are uniform: each tenth of the range has about a tenth of them. With 100000 draws the standard
   deviation of a tenth is 95, so 500 are more than five of them. */
static void test_length_of_range(void **state)
{
	const struct think_cfg range = { .least_ns = 1000, .most_ns = 1999 };
	const struct think_cfg one = { .least_ns = 7, .most_ns = 7 };
	unsigned tenth[10] = { 0 };
	struct rng r;

	(void)state;
	rng_init(&r, 1);
	for (unsigned i = 0; i < 100000; i++) {
		uint64_t v = think_length(&range, &r);

		assert_in_range(v, range.least_ns, range.most_ns);
		tenth[(v - 1000) / 100]++;
		assert_int_equal(think_length(&one, &r), 7);
	}
	for (unsigned i = 0; i < 10; i++)
		assert_in_range(tenth[i], 9500, 10500);
}

static void test_rest_is_no_wait(void **state)
{
	uint64_t behind = 100 * MS, now = 200 * MS;

	(void)state;
	for (uint64_t due = 100 * MS; due < 310 * MS; due += MS) {
		uint64_t later = think_shift_due(&behind, due, now);

		assert_int_equal(later, now);
		now += MS / 2;
		now = now < due + MS ? due + MS : now;
	}
	assert_int_equal(behind, 0);
	now += 50 * MS;
	for (uint64_t due = 310 * MS; due < 360 * MS; due += MS) {
		assert_int_equal(think_shift_due(&behind, due, now), due);
		now += MS / 2;
	}
}

/* A stall while the job catches up shows, too, and only the stall. */
static void test_stall_while_behind(void **state)
{
	uint64_t behind = 100 * MS, now = 200 * MS;

	(void)state;
	assert_int_equal(think_shift_due(&behind, 110 * MS, now), 200 * MS);
	assert_int_equal(behind, 90 * MS);
	now += 40 * MS;
	assert_int_equal(think_shift_due(&behind, 111 * MS, now), 201 * MS);
}

static void pass(struct rate_min *f, const struct rate_min_cfg *c, uint64_t ms, uint64_t ios, bool met)
{
	const uint64_t n[DIR_DATA] = { ios }, bytes[DIR_DATA] = { ios * 4096 };
	struct rate_min_miss miss;

	assert_true(ms * MS >= f->until_ns);
	assert_int_equal(rate_min_check(f, c, ms * MS, bytes, n, &miss), met);
	if (met)
		return;
	assert_int_equal(miss.dir, DIR_READ);
	assert_int_equal(miss.to_ns, ms * MS);
}

/* Two seconds to begin; then each cycle counts by itself. */
static void test_floor(void **state)
{
	const struct rate_min_cfg iops = { .iops = { 100 }, .cycle_ms = 500 };
	const struct rate_min_cfg bytes = { .rate = { 409600 }, .cycle_ms = 500 };
	const struct rate_min_cfg none = { .cycle_ms = 1000 };
	const struct rate_min_cfg *const cfgs[] = { &iops, &bytes };

	(void)state;
	assert_false(rate_min_wanted(&none));
	for (unsigned i = 0; i < 2; i++) {
		struct rate_min f;

		assert_true(rate_min_wanted(cfgs[i]));
		rate_min_start(&f);
		assert_int_equal(f.until_ns, RATE_MIN_SETTLE_NS);
		pass(&f, cfgs[i], 2001, 1, true);
		assert_int_equal(f.until_ns, 2500ull * MS);
		pass(&f, cfgs[i], 2500, 51, true);
		pass(&f, cfgs[i], 3000, 100, false); /* 49 in half a second: 98 per second */
		pass(&f, cfgs[i], 5000, 300, true);  /* late: divided by the time that it took */
		pass(&f, cfgs[i], 5500, 349, false);
	}
}

int unit_think(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_due),
		cmocka_unit_test(test_length_of_range),
		cmocka_unit_test(test_rest_is_no_wait),
		cmocka_unit_test(test_stall_while_behind),
		cmocka_unit_test(test_floor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
