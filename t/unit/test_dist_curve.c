/* Does the curve of a distribution agree with sums over the definition, and with the draws themselves? */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include "dist.h"

#define DRAWS       200000u
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static int descending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x < y) - (x > y);
}

static void test_zipf_sums(void **state)
{
	static const double thetas[] = { 0.01, 0.5, 0.999999, 1, 1.0000001, 1.2, 3, 40 };
	static const uint64_t sizes[] = { 1, 2, 3, 63, 64, 65, 100, 100000 };

	(void)state;
	for (size_t i = 0; i < COUNT(thetas) * COUNT(sizes); i++) {
		double theta = thetas[i % COUNT(thetas)], sum = 0, upto = 0;
		uint64_t n = sizes[i / COUNT(thetas)];
		struct dist_cfg cfg = { .kind = DIST_SKEWED, .skew = { .kind = SKEW_ZIPF, .param = theta } };
		static struct dist_curve c;

		for (uint64_t k = n; k; k--)
			sum += pow((double)k, -theta);
		dist_curve_init(&c, &cfg, n, 1);
		for (uint64_t k = 1; k <= n; k++) {
			upto += pow((double)k, -theta);
			if (k < 200 || k % 1000 == 0)
				assert_true(fabs(dist_curve_share(&c, k) - upto / sum) < 1e-10);
		}
	}
}

/* The counts of draws, sorted, have the shares of the curve within five sigma. */
static void test_draws(void **state)
{
	static const struct skew_cfg skews[] = {
		{ .kind = SKEW_ZIPF, .param = 1.2 },
		{ .kind = SKEW_ZIPF, .param = 0.7 },
		{ .kind = SKEW_PARETO, .param = 0.2 },
		{ .kind = SKEW_PARETO, .param = 0.7 },
		{ .kind = SKEW_NORMAL, .param = 10 },
		{ .kind = SKEW_NORMAL, .param = 30, .centered = true, .center = 0.1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(skews); i++) {
		struct dist_cfg cfg = { .kind = DIST_SKEWED, .skew = skews[i] };
		static struct dist_curve c;
		struct skew s;
		struct skew_batch b = { 0 };
		struct rng r;
		uint64_t n = 100, top;
		double hot = 0, share;

		rng_init(&r, 8);
		dist_curve_init(&c, &cfg, n, 1);
		skew_init(&s, &cfg.skew, n);
		top = skews[i].kind == SKEW_NORMAL && !skews[i].centered ? 20 : 30;
		share = dist_curve_share(&c, top);
		for (unsigned k = 0; k < DRAWS; k++) {
			uint64_t at = skew_draw(&s, &b, &r);

			if (skews[i].kind == SKEW_PARETO && skews[i].param > 0.5)
				hot += at < top; /* rank 1 is the hottest */
			else if (skews[i].kind == SKEW_NORMAL && !skews[i].centered)
				hot += at >= 40 && at < 60;
			else
				hot += at < top;
		}
		if (!(fabs(hot - DRAWS * share) < 5 * sqrt(DRAWS * share * (1 - share)) + 1))
			fail_msg("skew %zu: %g of %u, expected a share of %g", i, hot, DRAWS, share);
	}
}

static void test_zones(void **state)
{
	struct dist_cfg *cfg = calloc(1, sizeof(*cfg));
	static struct dist_curve c;

	(void)state;
	assert_non_null(cfg);
	cfg->dir[DIR_READ].n = 3;
	cfg->dir[DIR_READ].zone[0] = (struct dist_zone){ 10, 50 };
	cfg->dir[DIR_READ].zone[1] = (struct dist_zone){ 70, 60 };
	cfg->dir[DIR_READ].zone[2] = (struct dist_zone){ 20, 80 };
	dist_curve_init(&c, cfg, 1000, 4096);
	assert_true(fabs(dist_curve_share(&c, 100) - 0.7) < 1e-12);
	assert_true(fabs(dist_curve_share(&c, 300) - 0.9) < 1e-12);
	assert_true(fabs(dist_curve_share(&c, 550) - 0.95) < 1e-12);
	assert_true(fabs(dist_curve_share(&c, 1000) - 1) < 1e-12);
	assert_int_equal(dist_curve_places(&c, 0.7 - 1e-9), 100);
	assert_int_equal(dist_curve_places(&c, 0.35), 50);
	free(cfg);
}

/* The accesses of a zone smaller than a block go to the block that gets them in draws, too. */
static void test_zones_less_than_block(void **state)
{
	static const struct {
		struct dist_zone zone[3];
		uint64_t places, top;
	} rows[] = {
		{ { { 50, 1 }, { 30, 50 }, { 20, 100 } }, 64, 16 }, /* block 0 is in two zones */
		{ { { 50, 1 }, { 30, 50 }, { 20, 100 } }, 64, 1 },
		{ { { 30, 50 }, { 20, 99 }, { 50, 100 } }, 1, 1 },
		{ { { 30, 50 }, { 50, 51 }, { 20, 100 } }, 64, 1 }, /* within the third zone */
		{ { { 30, 2 }, { 30, 3 }, { 40, 4 } }, 20, 1 },
	};
	struct dist_cfg *cfg = calloc(1, sizeof(*cfg));
	static struct dist_curve c;

	(void)state;
	assert_non_null(cfg);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct dist_zones *z = &cfg->dir[DIR_READ];
		uint64_t hits[64] = { 0 };
		double hot = 0, share;
		struct rng r;

		rng_init(&r, i);
		z->n = 3;
		for (unsigned k = 0; k < 3; k++)
			z->zone[k] = rows[i].zone[k];
		dist_prepare(z);
		dist_curve_init(&c, cfg, rows[i].places, 1);
		assert_true(fabs(dist_curve_share(&c, rows[i].places) - 1) < 1e-12);
		for (unsigned k = 0; k < DRAWS; k++)
			hits[dist_draw(cfg, DIR_READ, rows[i].places, 1, 100, &r)]++;
		qsort(hits, COUNT(hits), sizeof(*hits), descending);
		for (uint64_t k = 0; k < rows[i].top; k++)
			hot += (double)hits[k] / DRAWS;
		share = dist_curve_share(&c, rows[i].top);
		if (!(fabs(hot - share) < 0.02))
			fail_msg("row %zu: the draws have %g, the curve %g", i, hot, share);
	}
	free(cfg);
}

static void test_uniform_and_bounds(void **state)
{
	static struct dist_curve c;

	(void)state;
	dist_curve_init(&c, NULL, 200, 1);
	assert_true(fabs(dist_curve_share(&c, 50) - 0.25) < 1e-12);
	assert_int_equal(dist_curve_places(&c, 0.5), 100);
	assert_int_equal(dist_curve_places(&c, 1), 200);
	assert_int_equal(dist_curve_places(&c, 0), 1);
}

int unit_dist_curve(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_zipf_sums),
		cmocka_unit_test(test_draws),
		cmocka_unit_test(test_zones),
		cmocka_unit_test(test_zones_less_than_block),
		cmocka_unit_test(test_uniform_and_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
