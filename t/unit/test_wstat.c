/* Are mean and deviation right, also of values that are large or far apart? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "rng.h"
#include "wstat.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const struct moments no_moments = { .min = UINT64_MAX };

/* The values base + 0, +1, ... +(period - 1), again and again. */
static const struct {
	uint64_t base, period, n;
	double mean, stddev;
} series[] = {
	{ 5, 1, 1, 5, 0 },
	{ 1000000000, 1, 3000000, 1e9, 0 },
	{ 999999999, 3, 3000000, 1e9, 0.816496716870 },
	{ 12345678901234, 2, 1000000, 12345678901234.5, 0.500000250000 },
	{ 0, 101, 101, 50, 29.300170647967 },
	{ (uint64_t)1 << 40, 2, 2, 1099511627776.5, 0.707106781187 },
};

static void test_moments(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(series); i++) {
		struct moments m = no_moments;

		for (uint64_t k = 0; k < series[i].n; k++)
			moments_add(&m, series[i].base + k % series[i].period);
		assert_int_equal(m.n, series[i].n);
		assert_int_equal(m.min, series[i].base);
		assert_int_equal(m.max, series[i].base + series[i].period - 1);
		assert_true(fabs(moments_mean(&m) - series[i].mean) < 1e-3);
		assert_true(fabs(moments_stddev(&m) - series[i].stddev) < 1e-9);
	}
}

/* Values so far apart that their squares and the deviation exceed 64 bits. */
static void test_moments_wide(void **state)
{
	struct moments m = no_moments;

	(void)state;
	assert_true(moments_mean(&m) == 0 && moments_stddev(&m) == 0);
	for (unsigned k = 0; k < 1000; k++)
		moments_add(&m, k % 2 ? (uint64_t)3 << 40 : (uint64_t)1 << 40);
	assert_true(fabs(moments_mean(&m) / 0x1p41 - 1) < 1e-15);
	assert_true(fabs(moments_stddev(&m) / (0x1p40 * sqrt(1000.0 / 999)) - 1) < 1e-15);
	assert_true(m.sq_hi > 0);
}

static void test_moments_merge(void **state)
{
	struct moments a = no_moments, b = no_moments, all = no_moments;
	struct rng r;

	(void)state;
	rng_init(&r, 1);
	for (unsigned k = 0; k < 3000; k++) {
		uint64_t ns = rng_below(&r, (uint64_t)1 << 44);

		moments_add(k % 3 ? &a : &b, ns);
		moments_add(&all, ns);
	}
	moments_merge(&a, &b);
	assert_memory_equal(&a, &all, sizeof(a));
	moments_merge(&a, &no_moments);
	assert_memory_equal(&a, &all, sizeof(a));
	b = no_moments;
	moments_merge(&b, &all);
	assert_memory_equal(&b, &all, sizeof(b));
}

static const struct {
	unsigned n, depth, batch;
} buckets[] = { { 1, 0, 1 },  { 2, 1, 1 },  { 3, 1, 1 },  { 4, 2, 1 },   { 5, 2, 2 },
		{ 8, 3, 2 },  { 9, 3, 3 },  { 16, 4, 3 }, { 17, 4, 4 },  { 32, 5, 4 },
		{ 33, 5, 5 }, { 64, 6, 5 }, { 65, 6, 6 }, { 4096, 6, 6 } };

static void test_buckets(void **state)
{
	(void)state;
	assert_int_equal(wstat_batch_bucket(0), 0);
	for (size_t i = 0; i < COUNT(buckets); i++) {
		assert_int_equal(wstat_depth_bucket(buckets[i].n), buckets[i].depth);
		assert_int_equal(wstat_batch_bucket(buckets[i].n), buckets[i].batch);
	}
}

static struct wstat *some(const struct wstat_layout *l, uint64_t from, uint64_t to)
{
	struct wstat *s = calloc(1, wstat_size(l));

	assert_non_null(s);
	wstat_init(s, l);
	for (uint64_t i = from; i < to; i++) {
		struct wstat_dir *d = &s->dir[i % DIR_COUNT];

		d->ios++;
		d->bytes += i;
		d->short_ios += i % 5 == 0;
		d->drop_ios += i % 7 == 0;
		d->errors += i % 11 == 0;
		moments_add(&d->lat[i % LAT_KINDS], i * i);
		hist_add(&s->hist[i % l->nhist], i * i);
	}
	return s;
}

static void test_merge_is_concatenation(void **state)
{
	const struct wstat_layout l = { .nhist = 3 };
	struct wstat *a = some(&l, 0, 1000), *b = some(&l, 1000, 5000), *all = some(&l, 0, 5000);

	(void)state;
	wstat_merge(a, b, &l);
	assert_memory_equal(a, all, wstat_size(&l));
	wstat_init(a, &l);
	wstat_merge(a, all, &l);
	assert_memory_equal(a, all, wstat_size(&l));
	free(a);
	free(b);
	free(all);
}

static void test_counts_merge(void **state)
{
	struct wcount a = {
		.depth = { 1, 2 }, .submit = { 3 }, .complete = { 4 }, .runtime_ns = { 100, 50 }
	};
	struct wcount b = {
		.depth = { 10, 20 }, .submit = { 30 }, .complete = { 40 }, .runtime_ns = { 70, 80 }
	};

	(void)state;
	a.job_runtime_ns = 100, b.job_runtime_ns = 80;
	a.user_us = 1, b.user_us = 2, a.sys_us = 3, b.sys_us = 4;
	a.ctx = 5, b.ctx = 6, a.majf = 7, b.majf = 8, a.minf = 9, b.minf = 10;
	b.errors = 2, b.first_error = 5;
	wcount_merge(&a, &b);
	assert_int_equal(a.depth[0], 11);
	assert_int_equal(a.depth[1], 22);
	assert_int_equal(a.submit[0], 33);
	assert_int_equal(a.complete[0], 44);
	assert_int_equal(a.runtime_ns[DIR_READ], 100);
	assert_int_equal(a.runtime_ns[DIR_WRITE], 80);
	assert_int_equal(a.job_runtime_ns, 180);
	assert_int_equal(a.user_us * 100 + a.sys_us, 307);
	assert_int_equal(a.ctx * 10000 + a.majf * 100 + a.minf, 111519);
	assert_int_equal(a.errors, 2);
	assert_int_equal(a.first_error, 5);
	b.first_error = 28;
	wcount_merge(&a, &b);
	assert_int_equal(a.first_error, 5);
}

int unit_wstat(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_moments),
		cmocka_unit_test(test_moments_wide),
		cmocka_unit_test(test_moments_merge),
		cmocka_unit_test(test_buckets),
		cmocka_unit_test(test_merge_is_concatenation),
		cmocka_unit_test(test_counts_merge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
