/* Does the clock follow CLOCK_MONOTONIC, and does it never go back? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "clock.h"

static void test_follows(void **state)
{
	(void)state;
	for (int i = 0; i < 1000; i++) {
		uint64_t before = clock_raw_ns(), now = clock_ns(), after = clock_raw_ns();

		/* Calibration is accurate to some ppm of the time since clock_init, which is less than a
		 * minute here. */
		assert_true(now + 1000000 > before && now < after + 1000000);
	}
}

static void test_monotonic(void **state)
{
	uint64_t last = clock_ns();

	(void)state;
	for (int i = 0; i < 100000; i++) {
		uint64_t now = clock_ns();

		assert_true(now >= last);
		last = now;
	}
}

static void test_sleep(void **state)
{
	uint64_t until = clock_ns() + 1000000;

	(void)state;
	clock_sleep_until(until);
	assert_true(clock_ns() + 1000 >= until);
	clock_sleep_until(0); /* a time in the past returns at once */
}

static void test_source(void **state)
{
	(void)state;
	assert_string_equal(clock_source(), clock_tsc.on ? "tsc" : "clock_gettime");
}

int unit_clock(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_follows), cmocka_unit_test(test_monotonic),
					    cmocka_unit_test(test_sleep), cmocka_unit_test(test_source) };

	clock_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
