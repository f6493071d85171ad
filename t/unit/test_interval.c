#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "interval.h"
#include "rng.h"

#define MS    ((uint64_t)1000000)
#define START (5000 * MS)

static struct ival_ring ring;
static struct wstat total;

static void begin(void)
{
	memset(&ring, 0x5a, sizeof(ring));
	memset(&total, 0, sizeof(total));
	ival_start(&ring, 100 * MS, START);
}

/* One I/O completed at this time since the start, as the worker does it: first close, then count. */
static void io_at(uint64_t ms)
{
	if (START + ms * MS >= ring.end_ns)
		ival_close(&ring, &total, START + ms * MS);
	total.dir[DIR_READ].ios++;
	total.dir[DIR_READ].bytes += 4096;
	total.dir[DIR_WRITE].errors += ms % 2;
}

static void assert_rec(uint64_t first, uint64_t span, uint64_t ios, uint64_t part_ms)
{
	struct ival_rec rec;

	assert_true(ival_take(&ring, &rec));
	assert_int_equal(rec.first, first);
	assert_int_equal(rec.span, span);
	assert_int_equal(rec.ios[DIR_READ], ios);
	assert_int_equal(rec.bytes[DIR_READ], ios * 4096);
	assert_int_equal(rec.ios[DIR_WRITE], 0);
	assert_int_equal(rec.part_ns, part_ms * MS);
}

static void assert_no_rec(void)
{
	struct ival_rec rec;

	assert_false(ival_take(&ring, &rec));
}

static void test_one_by_one(void **state)
{
	(void)state;
	begin();
	io_at(0);
	io_at(99);
	assert_no_rec();
	io_at(100);
	assert_rec(0, 1, 2, 0);
	io_at(250);
	assert_rec(1, 1, 1, 0);
	assert_no_rec();
	ival_finish(&ring, &total, START + 270 * MS);
	assert_rec(2, 0, 1, 70);
	assert_no_rec();
}

/* A silence is one record of zeros, however long. */
static void test_silence(void **state)
{
	(void)state;
	begin();
	io_at(10);
	io_at(100000000);
	assert_rec(0, 1, 1, 0);
	assert_rec(1, 999999, 0, 0);
	assert_no_rec();
	ival_finish(&ring, &total, START + 100000530 * MS);
	assert_rec(1000000, 1, 1, 0);
	assert_rec(1000001, 4, 0, 0);
	assert_rec(1000005, 0, 0, 30);
	assert_no_rec();
}

static void test_no_reader_wanted(void **state)
{
	(void)state;
	begin();
	ival_start(&ring, 0, START);
	assert_int_equal(ring.end_ns, UINT64_MAX);
	ival_close(&ring, &total, START + 1000 * MS);
	ival_finish(&ring, &total, START + 1000 * MS);
	assert_no_rec();
}

/* Ending on the edge of an interval leaves no partial one; ending twice does nothing. */
static void test_finish_on_edge(void **state)
{
	(void)state;
	begin();
	io_at(150);
	ival_finish(&ring, &total, START + 200 * MS);
	assert_rec(0, 1, 0, 0);
	assert_rec(1, 1, 1, 0);
	assert_no_rec();
	ival_finish(&ring, &total, START + 900 * MS);
	assert_no_rec();
}

/* Nobody reads: what does not fit is folded, nothing is lost, nothing waits. */
static void test_full(void **state)
{
	struct ival_rec rec;
	uint64_t ios = 0, next = 0, n = 0, partial = 0;

	(void)state;
	begin();
	for (unsigned i = 0; i < 1000; i++)
		io_at(i * 100 + i % 100);
	ival_finish(&ring, &total, START + 99950 * MS);
	while (ival_take(&ring, &rec)) {
		assert_int_equal(rec.first, next);
		assert_int_equal(partial, 0);
		next += rec.span;
		ios += rec.ios[DIR_READ];
		partial = rec.part_ns;
		n++;
	}
	assert_int_equal(n, IVAL_RING);
	assert_int_equal(next, 999);
	assert_int_equal(partial, 50 * MS);
	assert_int_equal(ios, 1000);
}

/* A reader that comes now and then: records are in order, without gaps, and add up. */
static void test_slow_reader(void **state)
{
	struct ival_rec rec;
	uint64_t ios = 0, errors = 0, next = 0, ms = 0;
	struct rng r;

	(void)state;
	begin();
	rng_init(&r, 1);
	for (unsigned i = 0; i < 20000; i++) {
		io_at(ms += rng_below(&r, i % 1000 ? 150 : 5000));
		for (uint64_t take = i % 700 ? 0 : rng_below(&r, 100); take && ival_take(&ring, &rec);
		     take--) {
			assert_int_equal(rec.first, next);
			next += rec.span;
			ios += rec.ios[DIR_READ];
			errors += rec.errors[DIR_WRITE];
		}
	}
	ival_finish(&ring, &total, START + ms * MS + 1);
	while (ival_take(&ring, &rec)) {
		assert_int_equal(rec.first, next);
		next += rec.span;
		ios += rec.ios[DIR_READ];
		errors += rec.errors[DIR_WRITE];
	}
	assert_int_equal(next, ms / 100);
	assert_int_equal(ios, total.dir[DIR_READ].ios);
	assert_int_equal(errors, total.dir[DIR_WRITE].errors);
}

static void test_samples(void **state)
{
	struct samples s = { 0 }, t = { 0 };

	(void)state;
	assert_true(samples_mean(&s) == 0 && samples_stddev(&s) == 0);
	samples_add(&s, 7);
	assert_true(samples_mean(&s) == 7 && samples_stddev(&s) == 0);
	samples_add(&s, 1);
	samples_add(&s, 4);
	assert_int_equal(s.n, 3);
	assert_int_equal(s.min, 1);
	assert_int_equal(s.max, 7);
	assert_true(samples_mean(&s) == 4 && samples_stddev(&s) == 3);
	for (unsigned i = 0; i < 500; i++)
		samples_add(&s, 0);
	t = (struct samples){ 0 };
	samples_add_n(&t, 0, 500);
	samples_add_n(&t, 9, 0);
	samples_add(&t, 7);
	samples_add(&t, 1);
	samples_add(&t, 4);
	assert_memory_equal(&s, &t, sizeof(s));
}

/* A steady rate has no deviation. */
static void test_steady_samples(void **state)
{
	struct samples s = { 0 };

	(void)state;
	for (unsigned i = 0; i < 1000; i++)
		samples_add(&s, 2999999);
	assert_true(samples_stddev(&s) == 0);
	samples_add(&s, 3000000);
	assert_true(fabs(samples_stddev(&s) - sqrt(1.0 / 1001)) < 1e-6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_by_one),
		cmocka_unit_test(test_silence),
		cmocka_unit_test(test_no_reader_wanted),
		cmocka_unit_test(test_finish_on_edge),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_slow_reader),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_steady_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
