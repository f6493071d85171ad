/* Which writes does trim_percentage choose? Each 100 writes have exactly that share, and the chosen ones are
   neither the same in each hundred nor neighbours only. The counts follow from the definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "mix.h"

#define GROUPS 50u

static void each_hundred_has_its_share(void **state)
{
	(void)state;
	for (unsigned percent = 0; percent <= 100; percent++) {
		for (uint64_t group = 0; group < GROUPS; group++) {
			unsigned chosen = 0;

			for (unsigned i = 0; i < 100; i++)
				chosen += trim_choice(group * 100 + i, percent);
			assert_int_equal(chosen, percent);
		}
	}
	assert_false(trim_choice(UINT64_MAX, 0));
	assert_true(trim_choice(UINT64_MAX, 100));
}

/* Another run with a higher percentage trims the same writes, and more. */
static void more_percent_are_more_writes(void **state)
{
	(void)state;
	for (uint64_t n = 0; n < 100 * GROUPS; n++)
		for (unsigned percent = 1; percent < 100; percent++)
			if (trim_choice(n, percent))
				assert_true(trim_choice(n, percent + 1));
}

static void hundreds_differ(void **state)
{
	unsigned same = 0, pairs = 0;

	(void)state;
	for (uint64_t n = 0; n + 100 < 100 * GROUPS; n++) {
		same += trim_choice(n, 50) == trim_choice(n + 100, 50);
		pairs += trim_choice(n, 50) && trim_choice(n + 1, 50);
	}
	assert_in_range(same, 40 * GROUPS, 60 * GROUPS);  /* half of them, of 4900 */
	assert_in_range(pairs, 19 * GROUPS, 30 * GROUPS); /* a quarter */
}

/* No number of writes from the first on has more trims than the bound. */
static void the_bound_explains_all_trims(void **state)
{
	(void)state;
	for (unsigned percent = 0; percent <= 100; percent++) {
		uint64_t chosen = 0;

		for (uint64_t n = 0; n < 100 * GROUPS; n++) {
			assert_true(chosen <= trim_choice_most(n, percent, 1));
			chosen += trim_choice(n, percent);
		}
	}
}

/* 7 trims of 7 writes, at 10 % each, have the chance 1e-7, and 10 of 10 have 1e-10. Of 1000 writes 200 or
   more are trimmed with a chance of about 2e-19 (a binomial tail). Pieces of writes count as fewer writes. */
static void the_bound_is_close(void **state)
{
	(void)state;
	assert_int_equal(trim_choice_most(7, 10, 1), 7);
	assert_in_range(trim_choice_most(10, 10, 1), 7, 9);
	assert_in_range(trim_choice_most(1000, 10, 1), 130, 199);
	assert_int_equal(trim_choice_most(10, 10, 4), 10);
	assert_int_equal(trim_choice_most(0, 10, 1), 0);
	assert_int_equal(trim_choice_most(50, 0, 1), 0);
	assert_int_equal(trim_choice_most(50, 100, 1), 50);
}

int unit_trim_choice(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_hundred_has_its_share),
		cmocka_unit_test(more_percent_are_more_writes),
		cmocka_unit_test(hundreds_differ),
		cmocka_unit_test(the_bound_explains_all_trims),
		cmocka_unit_test(the_bound_is_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
