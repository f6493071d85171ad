/* Does a set of numbers find the next member? A plain array gives the expected values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include "numset.h"
#include "rng.h"

static uint32_t expected(const bool *in, uint32_t n, uint32_t from)
{
	for (uint32_t i = 0; i < n; i++)
		if (in[(from + i) % n])
			return (from + i) % n;
	return NUMSET_NONE;
}

/* Adds and removes random numbers, so that the set is now nearly empty, now nearly full. */
static void test_random(void **state)
{
	static const uint32_t limits[] = { 1, 2, 63, 64, 65, 4095, 4096, 4097, 300000 };

	(void)state;
	for (size_t k = 0; k < sizeof(limits) / sizeof(*limits); k++) {
		uint32_t n = limits[k], rounds = n < 5000 ? 4 * n : 2000;
		bool *in = calloc(n, sizeof(*in));
		struct numset s;
		struct rng r;

		rng_init(&r, n);
		assert_true(numset_init(&s, n));
		assert_int_equal(numset_next(&s, n / 2), NUMSET_NONE);
		for (uint32_t i = 0; i < 2 * rounds; i++) {
			uint32_t number = (uint32_t)rng_below(&r, n), from = (uint32_t)rng_below(&r, n);
			bool add = rng_below(&r, 4) < (i < rounds ? 3 : 1);

			in[number] = add;
			(add ? numset_add : numset_remove)(&s, number);
			assert_int_equal(numset_next(&s, from), expected(in, n, from));
		}
		numset_fini(&s);
		free(in);
	}
}

static void test_fill(void **state)
{
	static const uint32_t limits[] = { 1, 64, 100, 4096, 70000, 262144 };

	(void)state;
	for (size_t k = 0; k < sizeof(limits) / sizeof(*limits); k++) {
		uint32_t n = limits[k];
		struct numset s;

		assert_true(numset_init(&s, n));
		numset_fill(&s);
		for (uint32_t i = 0; i < n; i++) {
			assert_int_equal(numset_next(&s, i), i);
			numset_remove(&s, i);
		}
		assert_int_equal(numset_next(&s, 0), NUMSET_NONE);
		numset_fini(&s);
	}
}

int unit_numset(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_fill),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
