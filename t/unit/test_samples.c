/* Are mean, deviation and extremes of samples right? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "samples.h"

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

static void test_rates(void **state)
{
	struct samples s = { 0 };

	(void)state;
	samples_add_rate(&s, 1, 1500000000, 1, 1); /* one I/O in 1.5 s */
	samples_add_rate(&s, 0, 1500000000, 1, 2);
	assert_true(s.min == 0 && fabs(s.max - 2 / 3.0) < 1e-9);
	assert_true(fabs(samples_mean(&s) - 2 / 9.0) < 1e-9);
	s = (struct samples){ 0 };
	samples_add_rate(&s, 512, 1000000000, 1024, 1); /* half a KiB */
	assert_true(samples_mean(&s) == 0.5);
	s = (struct samples){ 0 };
	samples_add_rate(&s, 10001, 3000000000, 1, 1);
	assert_true(samples_mean(&s) == 3333);
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

int unit_samples(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_steady_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
