/* When is a series of samples steady? The figures of small windows are worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "steady.h"

#define S                 1000000000ull
#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-9)

static void test_figures(void **state)
{
	static const struct {
		double v[6];
		size_t n;
		double mean, deviation, slope, range;
	} rows[] = {
		{ { 5 }, 1, 5, 0, 0, 0 },
		{ { 4000, 4004, 4002 }, 3, 4002, 2, 1, 4 },
		{ { 10, 20, 30, 40 }, 4, 25, 15, 10, 30 },
		{ { 40, 30, 20, 10 }, 4, 25, 15, -10, 30 },
		{ { 1, 3, 1, 3 }, 4, 2, 1, 0.4, 2 },
		{ { 0 }, 0, 0, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct steady_figures f;

		steady_figures(&f, rows[i].v, rows[i].n);
		assert_near(f.mean, rows[i].mean);
		assert_near(f.deviation, rows[i].deviation);
		assert_near(f.slope, rows[i].slope);
		assert_near(f.range, rows[i].range);
	}
}

/* The limit itself is not below the limit. SNIA's limits are "no more than". */
static void test_limits(void **state)
{
	static const struct {
		enum steady_by by;
		bool percent;
		double limit, v[5];
		size_t n;
		bool attained;
	} rows[] = {
		{ STEADY_DEVIATION, false, 10, { 90, 100, 110 }, 3, false },
		{ STEADY_DEVIATION, false, 10.1, { 90, 100, 110 }, 3, true },
		{ STEADY_DEVIATION, true, 10, { 180, 200, 220 }, 3, false },
		{ STEADY_DEVIATION, true, 10.1, { 180, 200, 220 }, 3, true },
		{ STEADY_SLOPE, false, 10, { 90, 100, 110 }, 3, false },
		{ STEADY_SLOPE, false, 10.1, { 90, 100, 110 }, 3, true },
		{ STEADY_SLOPE, false, 10, { 110, 100, 90 }, 3, false },
		{ STEADY_SLOPE, true, 5, { 180, 200, 220 }, 3, false },
		{ STEADY_SLOPE, true, 10.1, { 220, 200, 180 }, 3, true },
		{ STEADY_SLOPE, true, 1, { 100, 900, 100 }, 3, true },
		{ STEADY_DEVIATION, true, 50, { 0, 0, 0 }, 3, false },
		{ STEADY_SNIA, true, 20, { 100, 110, 90, 100, 100 }, 5, true },
		{ STEADY_SNIA, true, 20, { 100, 111, 90, 100, 100 }, 5, false },
		{ STEADY_SNIA, true, 20, { 95, 97.5, 100, 102.5, 105 }, 5, true },
		{ STEADY_SNIA, true, 20, { 94, 97, 100, 103, 106 }, 5, false },
		{ STEADY_SNIA, true, 20, { 106, 103, 100, 97, 94 }, 5, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct steady_cfg c = { .by = rows[i].by,
					.percent = rows[i].percent,
					.limit = rows[i].limit };
		struct steady_figures f;

		steady_figures(&f, rows[i].v, rows[i].n);
		if (steady_attained(&c, &f, rows[i].n) != rows[i].attained)
			fail_msg("row %zu: criterion %f", i, steady_criterion(&c, &f));
	}
}

static void test_value(void **state)
{
	const struct steady_sample s = { .ios = 50, .bytes = 4096 * 50, .lat_n = 50, .lat_sum = 50 * 700 };
	struct steady_cfg c = { .interval_ns = S / 2 };

	(void)state;
	assert_near(steady_value(&c, &s), 100);
	c.of = STEADY_BW;
	assert_near(steady_value(&c, &s), 409600);
	c.of = STEADY_LAT;
	assert_near(steady_value(&c, &s), 700);
}

/* The first sample at which the window is steady; 0: none. */
static void test_window(void **state)
{
	static const struct {
		uint64_t ramp, duration, ios[12];
		size_t n;
		uint64_t attained;
	} rows[] = {
		{ 0, 3, { 10, 20, 30, 30, 30, 30 }, 6, 5 }, { 0, 3, { 10, 10, 10, 50, 50, 50 }, 6, 3 },
		{ 1, 3, { 10, 10, 10, 50, 50, 50 }, 6, 6 }, { 0, 3, { 10, 20, 30, 40, 50 }, 5, 0 },
		{ 0, 6, { 10, 10, 10, 10, 10 }, 5, 0 },     { 2, 2, { 10, 10, 10, 10, 10 }, 5, 4 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct steady_cfg c = { .percent = true,
					      .limit = 1,
					      .duration_ns = rows[i].duration * S,
					      .ramp_ns = rows[i].ramp * S,
					      .interval_ns = S };
		struct steady_window w;
		uint64_t at = 0;

		assert_true(steady_window_init(&w, &c));
		for (size_t k = 0; k < rows[i].n; k++) {
			const struct steady_sample s = { .ios = rows[i].ios[k] };

			if (steady_window_add(&w, &s)) {
				assert_int_equal(at, 0);
				at = k + 1;
			}
		}
		assert_int_equal(at, rows[i].attained);
		assert_int_equal(w.attained, at != 0);
		if (at) {
			assert_int_equal(w.seen, at);
			assert_int_equal(steady_window_at(&w, w.n - 1)->ios, rows[i].ios[at - 1]);
			assert_int_equal(steady_window_at(&w, 0)->ios, rows[i].ios[at - rows[i].duration]);
		}
		steady_window_fini(&w);
	}
}

int unit_steady(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_value),
		cmocka_unit_test(test_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
