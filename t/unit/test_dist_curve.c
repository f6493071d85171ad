/* Does the curve of a distribution agree with sums over the definition, and with the draws themselves? */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include "dist_curve.h"

#define DRAWS       200000u
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

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
		struct rng r;
		uint64_t n = 100, top;
		double hot = 0, share;

		rng_init(&r, 8);
		dist_curve_init(&c, &cfg, n, 1);
		skew_init(&s, &cfg.skew, n);
		top = skews[i].kind == SKEW_NORMAL && !skews[i].centered ? 20 : 30;
		share = dist_curve_share(&c, top);
		for (unsigned k = 0; k < DRAWS; k++) {
			uint64_t at = skew_draw(&s, &r);

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_zipf_sums),
		cmocka_unit_test(test_draws),
		cmocka_unit_test(test_zones),
		cmocka_unit_test(test_uniform_and_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
