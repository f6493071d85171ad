/* Are interval records read as they were written, and invalid bytes refused? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "interval.h"
#include "rng.h"

static unsigned char buf[IVAL_BYTES((unsigned)DIR_COUNT * LAT_KINDS, DIR_COUNT)];

static size_t write_some(size_t room)
{
	const struct ival head = { .first = 300, .intervals = 2, .part_ns = UINT64_MAX };
	const struct ival_dir reads = { .ios = 7, .bytes = (uint64_t)1 << 60, .errors = 1 };
	const struct ival_dir syncs = { .ios = 1 };
	const struct ival_lat lat = { .n = 7, .sum = 70, .min = 3, .max = 30 };
	struct ival_out o;

	ival_begin(&o, buf, room, &head);
	ival_put_dir(&o, DIR_READ, &reads);
	ival_put_lat(&o, LAT_SLAT, &lat);
	ival_put_lat(&o, LAT_CLAT, &lat);
	ival_put_bin(&o, 0, 1);
	ival_put_bin(&o, 1, 2);
	ival_put_bin(&o, HIST_BUCKETS - 1, (uint64_t)1 << 40);
	ival_put_dir(&o, DIR_SYNC, &syncs);
	return ival_end(&o, buf);
}

static void test_as_written(void **state)
{
	size_t bytes = write_some(sizeof(buf));
	struct ival_bins bins;
	struct ival v;
	uint64_t count;
	unsigned bucket;

	(void)state;
	assert_in_range(bytes, 20, 80);
	assert_true(ival_read(&v, buf, bytes));
	assert_int_equal(v.first, 300);
	assert_int_equal(v.intervals, 2);
	assert_int_equal(v.part_ns, UINT64_MAX);
	assert_int_equal(v.dir[DIR_READ].ios, 7);
	assert_int_equal(v.dir[DIR_READ].bytes, (uint64_t)1 << 60);
	assert_int_equal(v.dir[DIR_READ].errors, 1);
	assert_int_equal(v.dir[DIR_SYNC].ios, 1);
	assert_int_equal(v.dir[DIR_WRITE].ios, 0);
	assert_int_equal(v.dir[DIR_READ].lat[LAT_SLAT].max, 30);
	assert_null(v.dir[DIR_READ].lat[LAT_SLAT].bins);
	assert_int_equal(v.dir[DIR_READ].lat[LAT_LAT].n, 0);
	bins = ival_bins(&v.dir[DIR_READ].lat[LAT_CLAT]);
	assert_true(ival_bin(&bins, &bucket, &count));
	assert_int_equal(bucket, 0);
	assert_int_equal(count, 1);
	assert_true(ival_bin(&bins, &bucket, &count));
	assert_int_equal(bucket, 1);
	assert_true(ival_bin(&bins, &bucket, &count));
	assert_int_equal(bucket, HIST_BUCKETS - 1);
	assert_int_equal(count, (uint64_t)1 << 40);
	assert_false(ival_bin(&bins, &bucket, &count));
	assert_false(ival_bin(&bins, &bucket, &count));
}

/* A record that does not fit is an error, and nothing is written behind the end. */
static void test_no_room(void **state)
{
	size_t bytes = write_some(sizeof(buf));

	(void)state;
	for (size_t room = 0; room < bytes; room++) {
		memset(buf, 0xaa, sizeof(buf));
		assert_int_equal(write_some(room), 0);
		assert_int_equal(buf[room], 0xaa);
	}
	assert_int_equal(write_some(bytes), bytes);
}

/* Truncated records and random bytes are refused or read, but never beyond their end. */
static void test_garbage(void **state)
{
	size_t bytes = write_some(sizeof(buf));
	unsigned char exact[64];
	struct ival v;
	struct rng r;

	(void)state;
	for (size_t n = 0; n < bytes; n++)
		assert_false(ival_read(&v, buf, n));
	rng_init(&r, 1);
	for (unsigned i = 0; i < 200000; i++) {
		size_t n = rng_below(&r, sizeof(exact));

		for (size_t k = 0; k < n; k++)
			exact[sizeof(exact) - n + k] =
				(unsigned char)(rng_below(&r, 2) ? rng_below(&r, 256) : buf[k % bytes]);
		(void)ival_read(&v, exact + sizeof(exact) - n, n);
	}
}

/* A record with all buckets in use and counts of five bytes fits into the reserved size. */
static void test_largest(void **state)
{
	const struct ival head = { .first = UINT64_MAX, .intervals = UINT64_MAX, .part_ns = UINT64_MAX };
	const struct ival_dir most = { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, { { 0 } } };
	const struct ival_lat lat = { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, NULL };
	struct ival_out o;
	struct ival v;
	size_t bytes;

	(void)state;
	ival_begin(&o, buf, sizeof(buf), &head);
	for (unsigned d = 0; d < DIR_COUNT; d++) {
		ival_put_dir(&o, d, &most);
		for (unsigned k = 0; k < LAT_KINDS; k++) {
			ival_put_lat(&o, k, &lat);
			for (unsigned i = 0; k == LAT_CLAT && i < HIST_BUCKETS; i++)
				ival_put_bin(&o, i, ((uint64_t)1 << 35) - 1);
		}
	}
	bytes = ival_end(&o, buf);
	assert_int_not_equal(bytes, 0);
	assert_true(ival_read(&v, buf, bytes));
}

int unit_interval(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_written),
		cmocka_unit_test(test_no_room),
		cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_largest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
