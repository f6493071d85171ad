/* Does the list of open files return the one that was used longest ago? A clock for each file gives the
   expected values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "file_set.h"
#include "rng.h"

#define FILES 50

static uint32_t oldest(const unsigned *used)
{
	uint32_t best = OPEN_FILES_NONE;

	for (uint32_t i = 0; i < FILES; i++)
		if (used[i] && (best == OPEN_FILES_NONE || used[i] < used[best]))
			best = i;
	return best;
}

static void test_order(void **state)
{
	unsigned used[FILES] = { 0 }; /* when; 0: not in the list */
	struct open_files s;
	struct rng r;

	(void)state;
	rng_init(&r, 1);
	assert_true(open_files_init(&s, FILES));
	assert_int_equal(open_files_take(&s), OPEN_FILES_NONE);
	for (unsigned now = 1; now < 20000; now++) {
		uint32_t file = (uint32_t)rng_below(&r, FILES), want;

		switch (rng_below(&r, now % 2000 < 1000 ? 4 : 9)) {
		case 0:
			open_files_remove(&s, file);
			used[file] = 0;
			break;
		case 1:
		case 2:
			open_files_use(&s, file);
			used[file] = now;
			break;
		default:
			want = oldest(used);
			assert_int_equal(open_files_take(&s), want);
			if (want != OPEN_FILES_NONE)
				used[want] = 0;
		}
	}
	open_files_fini(&s);
}

int unit_open_files(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_order) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
