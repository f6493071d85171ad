/* Are lists of CPUs parsed and printed right? */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "cpuset.h"
#include "strbuf.h"

static const struct {
	const char *text;
	int ret;
	const char *printed;
	unsigned count;
} lists[] = {
	{ "0", 0, "0", 1 },
	{ "4095", 0, "4095", 1 },
	{ "0,2-5", 0, "0,2-5", 5 },
	{ " 1 , 0 - 2,64 ", 0, "0-2,64", 4 },
	{ "63,64,65", 0, "63-65", 3 },
	{ "0-4095", 0, "0-4095", 4096 },
	{ "3,3,3", 0, "3", 1 },
	{ "", -EINVAL, "", 0 },
	{ "a", -EINVAL, "", 0 },
	{ "0-", -EINVAL, "", 0 },
	{ "-1", -EINVAL, "", 0 },
	{ "2-1", -EINVAL, "", 0 },
	{ "0,", -EINVAL, "", 0 },
	{ "0,,1", -EINVAL, "", 0 },
	{ "0:1", -EINVAL, "", 0 },
	{ "1 2", -EINVAL, "", 0 },
	{ "4096", -ERANGE, "", 0 },
	{ "0-99999999999999999999", -ERANGE, "", 0 },
};

static void test_lists(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		struct cpuset s = { 0 };
		struct strbuf b = { 0 };

		assert_int_equal(cpuset_parse(lists[i].text, &s), lists[i].ret);
		cpuset_print(&s, &b);
		assert_string_equal(strbuf_str(&b), lists[i].printed);
		assert_int_equal(cpuset_count(&s), lists[i].count);
		strbuf_fini(&b);
	}
}

static void test_sets(void **state)
{
	struct cpuset a = { 0 }, b = { 0 }, c;

	(void)state;
	assert_int_equal(cpuset_nth(&a, 0), -1);
	assert_int_equal(cpuset_parse("1,70,100-101", &a), 0);
	assert_int_equal(cpuset_parse("70,101,3000", &b), 0);
	assert_int_equal(cpuset_nth(&a, 0), 1);
	assert_int_equal(cpuset_nth(&a, 3), 101);
	assert_int_equal(cpuset_nth(&a, 4), -1);
	assert_false(cpuset_has(&a, 5000));
	c = a;
	cpuset_and(&c, &b);
	assert_int_equal(cpuset_count(&c), 2);
	c = a;
	cpuset_or(&c, &b);
	assert_int_equal(cpuset_count(&c), 5);
	c = a;
	cpuset_without(&c, &b);
	assert_true(cpuset_count(&c) == 2 && cpuset_has(&c, 1) && cpuset_has(&c, 100));
}

int unit_cpuset(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_lists), cmocka_unit_test(test_sets) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
