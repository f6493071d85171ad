/* test_zipf_fit.c: is theta found that addresses were drawn with, however few of them are counted? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include "hyperloglog.h"
#include "zipf_fit.h"

static double sum_to[1000001];

static uint32_t draw(uint32_t n, uint64_t *state)
{
	double at;
	uint32_t low = 0, high = n - 1;

	*state = *state * 6364136223846793005 + 1442695040888963407;
	at = (double)(*state >> 11) * 0x1p-53 * sum_to[n];
	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (sum_to[middle + 1] < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct zipf_figures fit(double theta, uint32_t n, uint32_t accesses)
{
	struct zipf_fit *z = calloc(1, sizeof(*z));
	struct zipf_figures f;
	uint64_t state = 1;

	assert_non_null(z);
	for (uint32_t i = 0; i < n; i++)
		sum_to[i + 1] = sum_to[i] + pow(i + 1, -theta);
	for (uint32_t i = 0; i < accesses; i++)
		zipf_fit_add(z, hyperloglog_hash(draw(n, &state) + 1));
	assert_int_equal(z->accesses, accesses);
	f = zipf_fit_figures(z, n);
	free(z);
	return f;
}

/* The interval of 95 % is taken twice as wide. */
static void test_theta(void **state)
{
	static const struct {
		double theta;
		uint32_t n, accesses;
	} row[] = {
		{ 0, 300, 2000 },       { 0, 1000000, 500000 },   { 0.5, 100000, 400000 },
		{ 0.8, 300, 3000 },     { 0.8, 1000000, 300000 }, { 1, 100000, 100000 },
		{ 1.1, 1000, 10000 },   { 1.1, 1000000, 500000 }, { 1.3, 1000000, 1000000 },
		{ 2, 1000000, 500000 }, { 1.1, 1000, 3000 },      { 1.1, 2000, 6000 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct zipf_figures f = fit(row[i].theta, row[i].n, row[i].accesses);

		if (!f.known || 2 * f.low - f.theta > row[i].theta + 0.01 ||
		    2 * f.high - f.theta < row[i].theta - 0.01 || f.high - f.low > 0.3 || f.misfit > 0.06)
			fail_msg("%g of %u: %g, from %g to %g, misfit %g", row[i].theta, row[i].n, f.theta,
				 f.low, f.high, f.misfit);
	}
}

static void test_touched(void **state)
{
	struct zipf_figures f = fit(0, 1000, 1000);

	(void)state;
	assert_true(fabs(f.touched - 1000 * (1 - exp(-1))) < 40);
	assert_true(fabs(zipf_fit_touched(0, 1000, 1000) - 1000 * (1 - exp(-1))) < 1);
	assert_true(fabs(zipf_fit_touched(1, 2, 3) - (2 - exp(-2) - exp(-1))) < 1e-9);
}

/* Of 50 million addresses, accesses as even as these repeat n * n / 2 / 50e6 = 6 of them. A sample of a
   quarter must not take its error for repeats. */
static void test_few_repeats(void **state)
{
	struct zipf_fit *z = calloc(1, sizeof(*z));
	struct zipf_figures f;

	(void)state;
	assert_non_null(z);
	for (uint32_t i = 0; i < 24000; i++)
		zipf_fit_add(z, hyperloglog_hash(i + 1));
	for (uint32_t i = 0; i < 6; i++)
		zipf_fit_add(z, hyperloglog_hash(4000 * i + 1));
	f = zipf_fit_figures(z, 50e6);
	free(z);
	assert_true(fabs(f.touched - 24000) < 20);
	assert_true(f.low < 0.001 && f.theta < 0.2);
}

static void test_unknown(void **state)
{
	struct zipf_fit *z = calloc(1, sizeof(*z));

	(void)state;
	assert_non_null(z);
	assert_false(zipf_fit_figures(z, 100).known);
	for (uint64_t i = 0; i < 20; i++)
		zipf_fit_add(z, hyperloglog_hash(i + 1));
	assert_false(zipf_fit_figures(z, 1000).known);
	free(z);
}

int unit_zipf_fit(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_theta),
		cmocka_unit_test(test_touched),
		cmocka_unit_test(test_few_repeats),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
