/* status.c: is its memory bounded, and do the newest entries stay? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "status.h"

#define ENTRY 9 /* bytes of "entry 00" and its NUL */

static void test_bound(void **state)
{
	static const struct {
		size_t max_bytes;
		unsigned added;
		size_t n;
	} cases[] = {
		{ 10 * ENTRY, 3, 3 },   { 10 * ENTRY, 10, 10 },    { 10 * ENTRY, 11, 10 },
		{ 10 * ENTRY, 99, 10 }, { 10 * ENTRY - 1, 99, 9 }, { 1, 99, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct status_list l = { 0 };
		char text[ENTRY];

		for (unsigned k = 0; k < cases[i].added; k++) {
			snprintf(text, sizeof(text), "entry %02u", k % 100);
			assert_int_equal(status_list_add(&l, text, cases[i].max_bytes), 0);
			assert_string_equal(l.v[l.n - 1], text);
		}
		assert_int_equal(l.n, cases[i].n);
		assert_int_equal(l.bytes, l.n * ENTRY);
		assert_int_equal(l.dropped, cases[i].added - l.n);
		snprintf(text, sizeof(text), "entry %02u", (unsigned)l.dropped % 100);
		assert_string_equal(l.v[0], text);
		status_list_fini(&l);
		assert_int_equal(l.n, 0);
	}
}

int unit_status_list(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_bound) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
