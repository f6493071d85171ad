/* random_distribution: which zones does a text mean, and which texts are refused? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "job.h"
#include "rows.h"
#include "strbuf.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* clang-format off */
static const struct {
	const char *text;
	int ret;
	const char *error; /* a part of it */
} values[] = {
	{ "random", 0, NULL },
	{ "zoned:60/10:40/90", 0, NULL },
	{ "zoned:60/10:40", 0, NULL },
	{ "zoned:50/:50/", 0, NULL },
	{ "zoned:0/20:100/10", 0, NULL },
	{ "zoned:50/20:50/80,100/100", 0, NULL },
	{ "zoned:50/20:50/80,,100/1", 0, NULL },
	{ "zoned_abs:60/1m:40", 0, NULL },
	{ "zoned_abs:60/1m:40/(2*4k)", 0, NULL },
	{ "zoned", -EINVAL, "needs zones" },
	{ "zoned:", -EINVAL, "needs zones" },
	{ "zoned:50/50", -EINVAL, "add up to 50 %, not to 100" },
	{ "zoned:50/70:50/70", -ERANGE, "add up to 140 %" },
	{ "zoned:101/70", -EINVAL, "from 0 to 100" },
	{ "zoned:33.3/10:66.7/90", -EINVAL, "not a list of zones" },
	{ "zoned:/10:/90", -EINVAL, "from 0 to 100" },
	{ "zoned:60/0:40/100", -EINVAL, "a zone of size 0" },
	{ "zoned:50/100:50/", -ERANGE, "nothing is left" },
	{ "zoned:100/1,100/1,100/1,100/1", -EINVAL, "more than three" },
	{ "zoned_abs:50/1q:50/", -EINVAL, "not a size" },
	{ "zoned_abs:50/:50/1m", -EINVAL, "only the last" },
	{ "zoned_abs:50/9999999999999999999999:50/1m", -ERANGE, NULL },
	{ "zipf:1.2", 0, NULL },
	{ "zipf", 0, NULL },
	{ "zipf:1", 0, NULL },
	{ "zipf:0.5:0.25", 0, NULL },
	{ "zipf:-1", -EINVAL, "a theta above 0" },
	{ "zipf:0", -EINVAL, "a theta above 0" },
	{ "zipf:101", -EINVAL, "at most 100" },
	{ "zipf:", -EINVAL, "such as zipf:1.2" },
	{ "zipf:nan", -EINVAL, "such as zipf:1.2" },
	{ "zipf:1.2,1.3", -EINVAL, "such as zipf:1.2" },
	{ "zipf:1.2:1.5", -EINVAL, "from 0 to 1" },
	{ "zipf:1.2:0.5:3", -EINVAL, "from 0 to 1" },
	{ "zipf:1.2:", -EINVAL, "from 0 to 1" },
	{ "zipf,1", -EINVAL, NULL },
	{ "pareto", 0, NULL },
	{ "pareto:0.2:1", 0, NULL },
	{ "pareto:1", -EINVAL, "between 0 and 1" },
	{ "pareto:0", -EINVAL, "between 0 and 1" },
	{ "normal:10", 0, NULL },
	{ "gauss:10:0", 0, NULL },
	{ "normal", -EINVAL, "needs a deviation" },
	{ "normal:0", -EINVAL, "needs a deviation" },
	{ "normal:100", -EINVAL, "needs a deviation" },
	{ "normal:0.000002:1", 0, NULL },
	{ "normal:0.0000000000000000000001:1", -EINVAL, "above 0.000001" },
	{ "gauss:0.000001", -EINVAL, "above 0.000001" },
	{ "sequence:1,2", 0, NULL },
	{ "sequence:7", 0, NULL },
	{ "sequence", -EINVAL, "needs numbers of blocks" },
	{ "sequence:", -EINVAL, "needs numbers of blocks" },
	{ "sequence:1,", -EINVAL, "needs numbers of blocks" },
	{ "sequence:-1", -EINVAL, "needs numbers of blocks" },
	{ "sequence:1:2", -EINVAL, "needs numbers of blocks" },
	{ "sequence:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
	  "0,0,0,0,0,0,0,0,0,0,0,0,0", -ERANGE, "more than 64" },
	{ "zone:1/1", -EINVAL, "not a distribution" },
	{ "random:1", -EINVAL, "no parameters" },
};
/* clang-format on */

static void test_values(void **state)
{
	const struct opt_row *row = opt_find(&job_options, "random_distribution");
	const struct opt_ctx ctx = { .kb_base = 1024 };
	struct job_opts o = { 0 };

	(void)state;
	assert_non_null(row);
	for (size_t i = 0; i < COUNT(values); i++) {
		struct diag d = { 0 };
		int ret = opt_set(row, &o, values[i].text, &ctx, &d);

		if (!ret != !values[i].ret || (values[i].error && !strstr(diag_text(&d), values[i].error)))
			fail_msg("%s: %d, %s", values[i].text, ret, diag_text(&d));
		diag_fini(&d);
	}
	opt_fini(&job_options, &o);
}

/* Missing sizes share the rest, a missing tail copies, and an empty direction has no zones. */
static void test_zones(void **state)
{
	struct dist_cfg *c = calloc(1, sizeof(*c));
	struct diag d = { 0 };

	(void)state;
	assert_non_null(c);
	assert_int_equal(opt_distribution("zoned:20/10:30/:50/,,100/7", 1024, c, &d), 0);
	assert_false(c->absolute);
	assert_int_equal(c->dir[DIR_READ].n, 3);
	assert_int_equal(c->dir[DIR_READ].zone[0].end, 10);
	assert_int_equal(c->dir[DIR_READ].zone[1].end, 55);
	assert_int_equal(c->dir[DIR_READ].zone[2].end, 100);
	assert_int_equal(c->dir[DIR_READ].zone_of_percent[19], 0);
	assert_int_equal(c->dir[DIR_READ].zone_of_percent[20], 1);
	assert_int_equal(c->dir[DIR_READ].zone_of_percent[99], 2);
	assert_int_equal(c->dir[DIR_WRITE].n, 0);
	assert_int_equal(c->dir[DIR_TRIM].zone[0].end, 7);
	assert_int_equal(opt_distribution("zoned_abs:20/1k:80", 1000, c, &d), 0);
	assert_true(c->absolute);
	assert_int_equal(c->dir[DIR_TRIM].zone[0].end, 1000);
	assert_true(c->dir[DIR_TRIM].zone[1].end == UINT64_MAX);
	free(c);
	diag_fini(&d);
}

/* 256 zones are accepted, 257 are refused. */
static void test_many(void **state)
{
	struct dist_cfg *c = calloc(1, sizeof(*c));

	(void)state;
	assert_non_null(c);
	for (unsigned n = 256; n <= 257; n++) {
		struct strbuf b = { 0 };
		struct diag d = { 0 };

		strbuf_puts(&b, "zoned_abs:100/1m");
		for (unsigned i = 1; i < n; i++)
			strbuf_puts(&b, ":0/1m");
		assert_int_equal(opt_distribution(strbuf_str(&b), 1024, c, &d), n > 256 ? -ERANGE : 0);
		strbuf_fini(&b);
		diag_fini(&d);
	}
	free(c);
}

int unit_type_distribution(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_zones),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
