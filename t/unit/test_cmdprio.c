/* cmdprio_bssplit: is the list parsed, and are invalid ones refused? */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "cmdprio.h"

/* clang-format off */
static const struct { const char *text; int err; const char *reads, *writes; } cases[] = {
	{ "4k/30", 0, "4096/30", "4096/30" },
	{ "4k", 0, "4096/0", "4096/0" },
	{ "4k/", 0, "4096/0", "4096/0" },
	{ "(2*2k)/30", 0, "4096/30", "4096/30" },
	{ "4k/30:64k/100", 0, "4096/30 65536/100", "4096/30 65536/100" },
	{ "4k/30,4k/40", 0, "4096/30", "4096/40" },
	{ "4k/30,", 0, "4096/30", "" },
	{ ",4k/40", 0, "", "4096/40" },
	{ "4k/1,4k/2,4k/3", 0, "4096/1", "4096/2" },
	{ "4k/30/2/3", 0, "4096/30=16387", "4096/30=16387" },
	{ "4k/30/1/0/5:4k/70/3/7", 0, "4096/30=8232 4096/70=24583", "4096/30=8232 4096/70=24583" },
	{ "", -EINVAL, NULL, NULL },
	{ ",", -EINVAL, NULL, NULL },
	{ "4k/30:", -EINVAL, NULL, NULL },
	{ "4k/30/2", -EINVAL, NULL, NULL },
	{ "4k/30/2/3/4/5", -EINVAL, NULL, NULL },
	{ "4k//2/3", -ERANGE, NULL, NULL },
	{ "4k/101", -ERANGE, NULL, NULL },
	{ "4k/99999999999999999999", -ERANGE, NULL, NULL },
	{ "4k/-1", -EINVAL, NULL, NULL },
	{ "4k/x", -EINVAL, NULL, NULL },
	{ "4q/30", -EINVAL, NULL, NULL },
	{ "0/30", -ERANGE, NULL, NULL },
	{ "2g/30", -ERANGE, NULL, NULL },
	{ "4k/30/0/0", -ERANGE, NULL, NULL },
	{ "4k/30/4/0", -ERANGE, NULL, NULL },
	{ "4k/30/2/8", -ERANGE, NULL, NULL },
	{ "4k/30/2/7/1024", -ERANGE, NULL, NULL },
	{ "4k/60:8k/60:4k/60", -ERANGE, NULL, NULL },
	{ "4k/1,4k/2,4k/x", -EINVAL, NULL, NULL },
};
/* clang-format on */

static const char *print(const struct cmdprio_split *s, unsigned dir)
{
	static char text[256];
	int at = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < s->n[dir]; i++) {
		const struct cmdprio_entry *e = &s->entry[dir][i];

		at += snprintf(text + at, sizeof(text) - (size_t)at, "%s%u/%u", at ? " " : "", e->bytes,
			       e->percent);
		if (e->has_priority)
			at += snprintf(text + at, sizeof(text) - (size_t)at, "=%u", e->value);
	}
	return text;
}

static void test_parse(void **state)
{
	static struct cmdprio_split s;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct diag d = { 0 };
		int err = cmdprio_parse(cases[i].text, 1024, &s, &d);

		if (err != cases[i].err)
			print_error("%s: %s\n", cases[i].text, diag_text(&d));
		assert_int_equal(err, cases[i].err);
		diag_fini(&d);
		if (err)
			continue;
		assert_string_equal(print(&s, DIR_READ), cases[i].reads);
		assert_string_equal(print(&s, DIR_WRITE), cases[i].writes);
	}
}

static void test_many(void **state)
{
	static struct cmdprio_split s;
	char text[PRIO_ENTRIES * 8] = "";
	struct diag d = { 0 };

	(void)state;
	for (unsigned i = 0; i < PRIO_ENTRIES; i++)
		strcat(text, i ? ":4k/1" : "4k/1");
	assert_int_equal(cmdprio_parse(text, 1024, &s, &d), 0);
	assert_int_equal(s.n[DIR_READ], PRIO_ENTRIES);
	assert_int_equal(s.n[DIR_WRITE], PRIO_ENTRIES);
	strcat(text, ":4k/1");
	assert_int_equal(cmdprio_parse(text, 1024, &s, &d), -ERANGE);
	diag_fini(&d);
}

int unit_cmdprio(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_parse), cmocka_unit_test(test_many) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
