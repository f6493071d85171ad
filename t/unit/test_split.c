/* Do the BPF programs find the bucket of a duration that hist.h has for it? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "hist.h"
#include "split_maps.h"

static void test_buckets(void **state)
{
	(void)state;
	for (unsigned i = 0; i + 1 < HIST_BUCKETS; i++) {
		assert_int_equal(split_bucket(hist_low(i)), i);
		assert_int_equal(split_bucket(hist_low(i + 1) - 1), i);
	}
	assert_int_equal(split_bucket((uint64_t)1 << 45), HIST_BUCKETS - 1);
	assert_int_equal(split_bucket(UINT64_MAX), HIST_BUCKETS - 1);
}

int unit_split(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_buckets) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
