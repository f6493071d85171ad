/* Do writes get the placement that plids, plid_select and dp_scheme ask for? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "arena.h"
#include "diag.h"
#include "placement.h"

#define DRAWS 10000

/* Writes the numbers with blanks between them. */
static const char *numbers(const struct placement_set *s)
{
	static char text[1024];

	text[0] = '\0';
	for (uint32_t i = 0; i < s->n; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%u", i ? " " : "", s->plid[i]);
	return text;
}

static void test_list(void **state)
{
	static const struct {
		const char *text, *numbers, *error;
	} rows[] = {
		{ "3", "3", NULL },
		{ "3,1", "3 1", NULL },
		{ "0,2-4,7", "0 2 3 4 7", NULL },
		{ "65535", "65535", NULL },
		{ "", NULL, "not a list of numbers and ranges of 0 to 65535, such as 0,2-4" },
		{ "1,", NULL, "not a list" },
		{ "1;2", NULL, "not a list" },
		{ "4-2", NULL, "not a list" },
		{ "-1", NULL, "not a list" },
		{ "65536", NULL, "not a list" },
		{ "99999999999999999999", NULL, "not a list" },
		{ "1-3,2", NULL, "the number 2 is there twice" },
		{ "0-128", NULL, "more than 128 numbers" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct placement_set s = { 0 };
		struct diag d = { 0 };
		int ret = placement_list_parse(&s, rows[i].text, &d);

		assert_int_equal(ret != 0, rows[i].error != NULL);
		if (rows[i].error)
			assert_non_null(strstr(diag_text(&d), rows[i].error));
		else
			assert_string_equal(numbers(&s), rows[i].numbers);
		diag_fini(&d);
	}
}

static void test_round_robin(void **state)
{
	struct placement_set s = { .n = 3 };
	struct placement_gen g;

	(void)state;
	placement_init(&g, &s, 1);
	for (uint32_t i = 0; i < 10; i++)
		assert_int_equal(placement_next(&g, 0), i % 3);
}

static void test_random(void **state)
{
	struct placement_set s = { .select = PLACEMENT_RANDOM, .n = 4 };
	struct placement_gen g, same;
	unsigned n[4] = { 0 }, turns = 0, before = 0;

	(void)state;
	placement_init(&g, &s, 1);
	placement_init(&same, &s, 1);
	for (unsigned i = 0; i < DRAWS; i++) {
		uint32_t at = placement_next(&g, 0);

		assert_int_equal(placement_next(&same, 0), at);
		assert_true(at < 4);
		n[at]++;
		turns += at == (before + 1) % 4;
		before = at;
	}
	/* Five standard deviations of 10000 draws of one in four are 217. */
	for (unsigned i = 0; i < 4; i++)
		assert_in_range(n[i], DRAWS / 4 - 217, DRAWS / 4 + 217);
	assert_in_range(turns, DRAWS / 4 - 217, DRAWS / 4 + 217);
}

static void test_scheme(void **state)
{
	static const struct {
		uint64_t offset;
		uint32_t position; /* 2: none */
	} rows[] = { { 0, 0 },     { 4095, 0 },  { 4096, 1 },           { 8191, 1 },     { 8192, 2 },
		     { 16383, 2 }, { 16384, 0 }, { (1u << 20) - 1, 0 }, { 1u << 20, 2 }, { UINT64_MAX, 2 } };
	struct placement_set s = { .select = PLACEMENT_SCHEME };
	struct placement_gen g;
	struct arena a = { 0 };
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(placement_scheme_parse(&s, &a, "0, 4096, 5\n\n 4k,8k ,3\r\n16k,1m,5", "f", &d), 0);
	assert_string_equal(numbers(&s), "5 3");
	placement_init(&g, &s, 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(placement_next(&g, rows[i].offset), rows[i].position);
	arena_fini(&a);
}

static void test_bad_scheme(void **state)
{
	static const struct {
		const char *text, *error;
	} rows[] = {
		{ "", "f has no line of START, END, PLID" },
		{ "\n \n", "f has no line" },
		{ "0,4k,1\n0,4k\n", "f:2: '0,4k' is not START, END, PLID, such as 0, 1g, 2" },
		{ "0,4k,1,2", "f:1: '0,4k,1,2' is not" },
		{ "0,4k,x", "f:1: '0,4k,x' is not" },
		{ "0,4k,1x", "is not" },
		{ "0,4q,1", "is not" },
		{ "-1,4k,1", "is not" },
		{ "0,4k,65536", "is not" },
		{ "0,4k,0000000000000000000000000000001x", "is not" },
		{ "0000000000000000000000000000000001,4k,1", "is not" },
		{ "0,4k                                x,1", "is not" },
		{ ",4k,1", "is not" },
		{ "4k,4k,1",
		  "f:1: the range begins at 4096 and ends at 4096; the end must be above the start" },
		{ "0,8k,1\n4k,16k,2", "f:2: the range begins at 4096, but that of line 1 ends at 8192" },
		{ "8k,16k,1\n\n0,8k,2", "f:3: the range begins at 0, but that of line 1 ends at 16384" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct placement_set s = { 0 };
		struct arena a = { 0 };
		struct diag d = { 0 };

		assert_int_equal(placement_scheme_parse(&s, &a, rows[i].text, "f", &d), -EINVAL);
		if (!strstr(diag_text(&d), rows[i].error))
			fail_msg("'%s': %s", rows[i].text, diag_text(&d));
		diag_fini(&d);
		arena_fini(&a);
	}
}

int unit_placement(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),       cmocka_unit_test(test_round_robin),
		cmocka_unit_test(test_random),     cmocka_unit_test(test_scheme),
		cmocka_unit_test(test_bad_scheme),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
