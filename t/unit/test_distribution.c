/* Which effective distribution has -rd on targets of different sizes? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "profile.h"
#include "line.h"

#define K 1024ull
#define G (1ull << 30)

static const struct {
	const char *args;
	uint64_t size;
	bool cut;
	const char *want; /* "share:begin-end " for each range, and "cut" */
} cases[] = {
	{ "-b4K -r", G, false, "" },
	/* the sample of the documentation */
	{ "-b4K -r -rdpct90/10:0/10:5/20", G, false,
	  "90.0:0-107372544 0.0:107372544-214745088 5.0:214745088-429494272 5.0:429494272-1073741824 " },
	{ "-b4K -r -rdpct60/50:40/50", 100 * K, false, "60.0:0-49152 40.0:49152-102400 " },
	/* from the wiki: one range over the whole file */
	{ "-b4K -r -rdabs90/10G:0/10G:5/20G", G, true, "100.0:0-1073741824 " },
	{ "-b4K -r -rdabs60/40K:20/40K:10/1G", 80 * K, true, "75.0:0-40960 25.0:40960-81920 " },
	/* ranges are cut off, but no share is lost */
	{ "-b4K -r -rdabs60/40K:40/1G", 80 * K, false, "60.0:0-40960 40.0:40960-81920 " },
	{ "-b4K -r -rdabs60/40K", 80 * K, false, "60.0:0-40960 40.0:40960-81920 " },
	/* a range too small for an offset gives its share to the next one, or the one before */
	{ "-b4K -r -rdpct50/1:30/49:20/50", 16 * K, false, "80.0:0-8192 20.0:8192-16384 " },
	{ "-b8K -r8K -rdpct90/99:10/1", 64 * K, false, "90.0:0-57344 10.0:57344-65536 " },
	{ "-b64K -r -rdpct90/1:0/49:10/50", 128 * K, false, "0.0:0-65536 100.0:65536-131072 " },
	/* from the base up to the usable end of the target */
	{ "-b4K -B64K:64K -r -rdpct50/50", G, false, "50.0:0-32768 50.0:32768-65536 " },
	{ "-b4K -c64K -r -rdpct50/50", G, false, "50.0:0-32768 50.0:32768-65536 " },
	{ "-b4K -r -rdpct50/50", 4095, false, "" },
};

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ds_effective_range v[16];
		char text[512] = "", *args = strdup(cases[i].args), *save = NULL;
		const char *argv[16];
		struct diag d = { 0 };
		struct ds_line l;
		int argc = 0;
		bool cut;
		size_t n;

		for (char *s = strtok_r(args, " ", &save); s; s = strtok_r(NULL, " ", &save))
			argv[argc++] = s;
		argv[argc++] = "x";
		if (ds_line_parse(&l, DS_DIALECT_23, argc, argv, NULL, &d))
			fail_msg("%s: %s", cases[i].args, diag_text(&d));
		n = ds_effective_ranges(&l.profile.spans->targets[0], cases[i].size, v, &cut);
		for (size_t k = 0; k < n; k++)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%.1f:%ju-%ju ",
				 v[k].io_percent, (uintmax_t)v[k].begin, (uintmax_t)v[k].end);
		assert_string_equal(text, cases[i].want);
		assert_int_equal(cut, cases[i].cut);
		ds_line_fini(&l);
		free(args);
	}
}

int unit_distribution(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_cases) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
