/* Lasting changes of series whose truth is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include "change_points.h"
#include "rng.h"

#define MOST 400

static double uniform(struct rng *r)
{
	return ((double)(rng_u64(r) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(struct rng *r)
{
	return sqrt(-2 * log(uniform(r))) * cos(6.283185307179586 * uniform(r));
}

/* Nine of ten are normal; the tenth is somewhere far above, as of a night in which a backup ran. */
static double with_outliers(struct rng *r)
{
	return uniform(r) < 0.1 ? 100 * uniform(r) : normal(r);
}

/* Most latencies fall into a few buckets. */
static double in_buckets(struct rng *r)
{
	return floor(1.5 * normal(r));
}

/* Returns in how many of `series` series of n figures without a change one is found. */
static unsigned alarms(double (*draw)(struct rng *r), size_t n, unsigned series)
{
	struct change_points c;
	double v[MOST];
	struct rng r;
	unsigned found = 0;

	rng_init(&r, n);
	for (unsigned i = 0; i < series; i++) {
		for (size_t k = 0; k < n; k++)
			v[k] = draw(&r);
		assert_int_equal(change_points_find(&c, v, n, NULL), 0);
		found += c.n > 0;
		change_points_fini(&c);
	}
	return found;
}

/* 1 in 1,000 is nominal. */
static void false_alarms_are_1_in_1000(void **state)
{
	static const size_t lengths[] = { 14, 20, 30, 60, 100, 365 };
	static double (*const draws[])(struct rng *) = { normal, with_outliers, in_buckets };

	(void)state;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++)
		for (size_t k = 0; k < 3; k++) {
			unsigned series = lengths[i] > 100 ? 10000 : 40000;
			unsigned found = alarms(draws[k], lengths[i], series);

			printf("%zu figures, %s: %u of %u series\n", lengths[i],
			       k == 0   ? "normal"
			       : k == 1 ? "with outliers"
					: "in buckets",
			       found, series);
			assert_true(found * 1000.0 / series < 1.6);
		}
}

/* The change is found where it is, give or take two figures, and no other one. */
static void a_change_is_found_where_it_is(void **state)
{
	struct change_points c;
	double v[60];
	struct rng r;
	unsigned found = 0;

	(void)state;
	rng_init(&r, 1);
	for (unsigned i = 0; i < 1000; i++) {
		for (size_t k = 0; k < 60; k++)
			v[k] = with_outliers(&r) + (k >= 40 ? 3 : 0);
		assert_int_equal(change_points_find(&c, v, 60, NULL), 0);
		found += c.n == 1 && c.v[0] >= 38 && c.v[0] <= 42;
		change_points_fini(&c);
	}
	printf("%u of 1000 found\n", found);
	assert_true(found > 850);
}

static void two_changes_are_found(void **state)
{
	struct change_points c;
	double v[90];
	struct rng r;

	(void)state;
	rng_init(&r, 2);
	for (size_t k = 0; k < 90; k++)
		v[k] = normal(&r) + (k >= 30 && k < 60 ? 20 : 0);
	assert_int_equal(change_points_find(&c, v, 90, NULL), 0);
	assert_int_equal(c.n, 2);
	assert_int_equal(c.v[0], 30);
	assert_int_equal(c.v[1], 60);
	change_points_fini(&c);
}

/* A change begins only where it may. */
static void a_change_begins_where_it_may(void **state)
{
	struct change_points c;
	bool may[40] = { [12] = true, [25] = true };
	double v[40];

	(void)state;
	for (size_t k = 0; k < 40; k++)
		v[k] = (double)(k % 7) + (k >= 20 ? 50 : 0);
	assert_int_equal(change_points_find(&c, v, 40, may), 0);
	for (size_t i = 0; i < c.n; i++)
		assert_true(may[c.v[i]]);
	assert_true(c.n > 0);
	change_points_fini(&c);
}

static void too_few_figures_show_nothing(void **state)
{
	struct change_points c;
	double v[CHANGE_POINTS_SERIES - 1], same[100] = { 0 };

	(void)state;
	for (size_t k = 0; k < CHANGE_POINTS_SERIES - 1; k++)
		v[k] = k < 6 ? 1 : 100;
	assert_int_equal(change_points_find(&c, v, CHANGE_POINTS_SERIES - 1, NULL), 0);
	assert_int_equal(c.n, 0);
	change_points_fini(&c);
	assert_int_equal(change_points_find(&c, same, 100, NULL), 0);
	assert_int_equal(c.n, 0);
	change_points_fini(&c);
	assert_int_equal(change_points_find(&c, NULL, 0, NULL), 0);
	assert_int_equal(c.n, 0);
	change_points_fini(&c);
}

int unit_change_points(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(false_alarms_are_1_in_1000),
		cmocka_unit_test(a_change_is_found_where_it_is),
		cmocka_unit_test(two_changes_are_found),
		cmocka_unit_test(a_change_begins_where_it_may),
		cmocka_unit_test(too_few_figures_show_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
