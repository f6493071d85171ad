/* Do the times on the device of several rows become one series? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "hist.h"
#include "where.h"

static const uint64_t fast[] = { 1000 }, slow[] = { 50000 }, three[] = { 3 }, five[] = { 5 };
static const struct result_split_interval intervals[] = {
	{ { fast, three, 1 } },
	{ { NULL, NULL, 0 } },
	{ { slow, five, 1 } },
};

static struct result_split row(const char *dir, uint64_t start_ms, uint64_t interval_ms)
{
	return (struct result_split){ .dir = dir,
				      .device_start_ms = start_ms,
				      .device_interval_ms = interval_ms,
				      .device_intervals = intervals,
				      .ndevice_intervals = 3 };
}

static uint64_t count(const struct series *s, size_t i, uint64_t ns)
{
	struct ival v;
	struct hist h;

	hist_init(&h);
	series_get(s, 0, i, &v);
	if (v.dir[DIR_READ].lat[LAT_CLAT].bins)
		ival_add_bins(&v.dir[DIR_READ].lat[LAT_CLAT], &h);
	return h.n[hist_index(ns)];
}

/* The second host has intervals of twice the length, and began 100 ms later. */
static void test_rows_share_a_grid(void **state)
{
	const struct result_split one[] = { row("read", 7000, 100), row("write", 6000, 100) },
				  two[] = { row("read", 7100, 200) };
	const struct result_job a = { .splits = one, .nsplits = 2 }, b = { .splits = two, .nsplits = 1 };
	const struct result_job *const jobs[] = { &a, &b };
	static const uint64_t want_fast[] = { 3, 2, 1, 0, 0, 0, 0 }, want_slow[] = { 0, 0, 5, 0, 0, 3, 2 };
	uint64_t start_ms, sums[2] = { 0 };
	struct series s;

	(void)state;
	assert_int_equal(where_device_series(&s, jobs, 2, DIR_READ, &start_ms), 0);
	assert_int_equal(start_ms, 7000);
	assert_int_equal(series_interval_ns(&s), 100000000);
	assert_int_equal(s.groups[0].cells.n, 7);
	for (size_t i = 0; i < 7; i++) {
		sums[0] += count(&s, i, 1000);
		sums[1] += count(&s, i, 50000);
		/* A count that is spread may be rounded either way. */
		assert_in_range(count(&s, i, 1000), want_fast[i] ? want_fast[i] - 1 : 0,
				want_fast[i] ? want_fast[i] + 1 : 0);
		assert_in_range(count(&s, i, 50000), want_slow[i] ? want_slow[i] - 1 : 0,
				want_slow[i] ? want_slow[i] + 1 : 0);
	}
	assert_int_equal(sums[0], 6);
	assert_int_equal(sums[1], 10);
	series_fini(&s);
	assert_int_equal(where_device_series(&s, jobs, 2, DIR_COUNT, &start_ms), 0);
	assert_int_equal(start_ms, 6000);
	series_fini(&s);
	assert_int_equal(where_device_series(&s, jobs, 2, DIR_TRIM, &start_ms), 0);
	assert_int_equal(s.ngroups, 0);
	series_fini(&s);
}

/* A document may say anything. */
static void test_impossible_times_are_left_out(void **state)
{
	const struct result_split rows[] = { row("read", 0, 100), row("read", UINT64_MAX, 100),
					     row("read", 0, UINT64_MAX), row("read", 1000000000000, 100) };
	const struct result_job a = { .splits = rows, .nsplits = 4 };
	const struct result_job *const jobs[] = { &a };
	uint64_t start_ms;
	struct series s;

	(void)state;
	assert_int_equal(where_device_series(&s, jobs, 1, DIR_READ, &start_ms), 0);
	assert_int_equal(s.groups[0].cells.n, 3);
	series_fini(&s);
}

int unit_where(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_share_a_grid),
		cmocka_unit_test(test_impossible_times_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
