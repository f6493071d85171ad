/* Histogram: buckets, sums and percentiles, compared with exact values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "hist.h"
#include "rng.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const struct {
	uint64_t ns;
	unsigned index;
	uint64_t low, mid;
} places[] = {
	/* clang-format off */
	{ 0, 0, 0, 0 }, { 1, 1, 1, 1 }, { 127, 127, 127, 127 },
	{ 128, 128, 128, 129 }, { 129, 128, 128, 129 }, { 255, 191, 254, 255 }, { 256, 192, 256, 258 },
	{ 1000, 317, 1000, 1004 }, { 1020, 319, 1016, 1020 },
	{ 17179869183, HIST_FIO_BUCKETS - 1, 17045651456, 17112760320 },
	{ 17179869184, HIST_FIO_BUCKETS, 17179869184, 17314086912 },
	{ ((uint64_t)1 << 45) - 1, HIST_BUCKETS - 1, 34909494181888, 35046933135360 },
	{ (uint64_t)1 << 45, HIST_BUCKETS - 1, 34909494181888, 35046933135360 },
	{ UINT64_MAX, HIST_BUCKETS - 1, 34909494181888, 35046933135360 },
	/* clang-format on */
};

static void test_places(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(places); i++) {
		assert_int_equal(hist_index(places[i].ns), places[i].index);
		assert_int_equal(hist_low(places[i].index), places[i].low);
		assert_int_equal(hist_mid(places[i].index), places[i].mid);
	}
}

/* Buckets have no gaps, and each is at most 1/64 of its value wide. */
static void test_buckets(void **state)
{
	(void)state;
	for (unsigned i = 0; i + 1 < HIST_BUCKETS; i++) {
		uint64_t low = hist_low(i), next = hist_low(i + 1);

		assert_true(next > low);
		assert_int_equal(hist_index(low), i);
		assert_int_equal(hist_index(next - 1), i);
		assert_int_equal(hist_index(hist_mid(i)), i);
		assert_true(next - low == 1 || (next - low) * 64 <= low);
	}
}

static void fill(struct hist *h, uint64_t seed, unsigned n, uint64_t below)
{
	struct rng r;

	rng_init(&r, seed);
	for (unsigned i = 0; i < n; i++)
		hist_add(h, rng_below(&r, below));
}

static void test_merge_is_concatenation(void **state)
{
	struct hist *h = malloc(4 * sizeof(*h));

	(void)state;
	assert_non_null(h);
	for (unsigned i = 0; i < 4; i++)
		hist_init(&h[i]);
	hist_merge(&h[0], &h[3]);
	assert_true(h[0].lo > h[0].hi);
	fill(&h[0], 1, 5000, 1000000);
	fill(&h[1], 2, 300, 99);
	fill(&h[2], 1, 5000, 1000000);
	fill(&h[2], 2, 300, 99);
	assert_int_equal(hist_total(&h[0]), 5000);
	hist_merge(&h[0], &h[1]);
	hist_merge(&h[0], &h[3]);
	assert_memory_equal(&h[0], &h[2], sizeof(*h));
	assert_int_equal(hist_total(&h[0]), 5300);
	free(h);
}

/* A copy of a span reads nothing outside of it and replaces the target. */
static void test_copy(void **state)
{
	struct hist *h = malloc(3 * sizeof(*h));

	(void)state;
	assert_non_null(h);
	for (unsigned i = 0; i < 3; i++)
		hist_init(&h[i]);
	fill(&h[0], 1, 1000, 1u << 30);
	fill(&h[1], 2, 1000, 5000);
	h[1].n[HIST_BUCKETS - 1] = 7;
	hist_copy(&h[0], &h[1]);
	h[1].n[HIST_BUCKETS - 1] = 0;
	assert_memory_equal(&h[0], &h[1], sizeof(*h));
	hist_copy(&h[0], &h[2]);
	assert_memory_equal(&h[0], &h[2], sizeof(*h));
	free(h);
}

/* Zeroed memory and a reset histogram are equal. */
static void test_reset(void **state)
{
	struct hist *h = calloc(2, sizeof(*h));

	(void)state;
	assert_non_null(h);
	hist_reset(&h[0]);
	hist_init(&h[1]);
	assert_memory_equal(&h[0], &h[1], sizeof(*h));
	fill(&h[0], 1, 1000, UINT64_MAX);
	hist_reset(&h[0]);
	assert_memory_equal(&h[0], &h[1], sizeof(*h));
	assert_int_equal(hist_total(&h[0]), 0);
	free(h);
}

static void test_below(void **state)
{
	struct hist *h = malloc(sizeof(*h));

	(void)state;
	assert_non_null(h);
	hist_init(h);
	assert_int_equal(hist_below(h, UINT64_MAX), 0);
	hist_add(h, 100);
	hist_add(h, 1000);
	hist_add(h, 1000000);
	assert_int_equal(hist_below(h, 100), 0);
	assert_int_equal(hist_below(h, 101), 1);
	assert_int_equal(hist_below(h, 1004), 1);
	assert_int_equal(hist_below(h, 1005), 2);
	assert_int_equal(hist_below(h, UINT64_MAX), 3);
	free(h);
}

/* Values of 1, 2, ... 100 ns, which are all exact. */
static const struct {
	double p;
	uint64_t ns;
} percentiles[] = { { 0, 1 },        { 0.5, 1 }, { 1, 1 },      { 1.01, 2 },    { 50, 50 },
		    { 50.0001, 51 }, { 99, 99 }, { 99.5, 100 }, { 99.99, 100 }, { 100, 100 } };

static void test_percentiles(void **state)
{
	struct hist *h = malloc(sizeof(*h));

	(void)state;
	assert_non_null(h);
	hist_init(h);
	assert_int_equal(hist_percentile(h, 0, 50, UINT64_MAX, 0), 0);
	for (uint64_t ns = 1; ns <= 100; ns++)
		hist_add(h, ns);
	for (size_t i = 0; i < COUNT(percentiles); i++)
		assert_int_equal(hist_percentile(h, 100, percentiles[i].p, 1, 100), percentiles[i].ns);
	free(h);
}

/* A percentile is never the midpoint of a bucket outside of the recorded values. */
static void test_percentile_is_clamped(void **state)
{
	struct hist *h = malloc(sizeof(*h));

	(void)state;
	assert_non_null(h);
	hist_init(h);
	hist_add(h, 1000001);
	assert_int_equal(hist_percentile(h, 1, 50, 1000001, 1000001), 1000001);
	hist_add(h, (uint64_t)1 << 50);
	assert_int_equal(hist_percentile(h, 2, 100, 1000001, (uint64_t)1 << 50), 35046933135360);
	assert_int_equal(hist_percentile(h, 2, 50, 1000001, (uint64_t)1 << 50),
			 hist_mid(hist_index(1000001)));
	assert_int_equal(hist_percentile(h, 9, 100, 1, UINT64_MAX), 35046933135360);
	free(h);
}

int unit_hist(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_buckets),
		cmocka_unit_test(test_merge_is_concatenation),
		cmocka_unit_test(test_copy),
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_below),
		cmocka_unit_test(test_percentiles),
		cmocka_unit_test(test_percentile_is_clamped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
