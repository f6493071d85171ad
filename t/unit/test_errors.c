/* Which errors does a job survive, and which lists are valid? */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "job.h"
#include "rows.h"
#include "strbuf.h"

static const struct opt_ctx ctx = { .kb_base = 1024 };

/* Sets up to two options, given as "name=value name=value". */
static int set(struct job_opts *o, const char *text, struct diag *d)
{
	char copy[200], *rest = copy, *one;
	int err = 0;

	memset(o, 0, sizeof(*o));
	strcpy(copy, text);
	while (!err && (one = strsep(&rest, " "))) {
		char *value = strchr(one, '=');

		*value++ = '\0';
		err = opt_set(opt_find(&job_options, one), o, value, &ctx, d);
	}
	return err;
}

static void test_survives(void **state)
{
	static const struct {
		const char *options;
		enum io_op op;
		int err;
		bool survived;
	} cases[] = {
		{ "continue_on_error=none", IO_READ, EIO, false },
		{ "continue_on_error=read", IO_READ, EIO, true },
		{ "continue_on_error=read", IO_WRITE, EIO, false },
		{ "continue_on_error=read", IO_READ, EILSEQ, false },
		{ "continue_on_error=verify", IO_READ, EILSEQ, true },
		{ "continue_on_error=verify", IO_READ, EIO, false },
		{ "continue_on_error=write", IO_WRITE, EIO, true },
		{ "continue_on_error=write", IO_FSYNC, EIO, true },
		{ "continue_on_error=write", IO_TRIM, EREMOTEIO, true },
		{ "continue_on_error=io", IO_READ, ENODATA, true },
		{ "continue_on_error=io", IO_WRITE, ETIMEDOUT, true },
		{ "continue_on_error=all", IO_WRITE, ENOSPC, false },
		{ "continue_on_error=1", IO_WRITE, EILSEQ, true },
		{ "continue_on_error=all", IO_READ, EBADF, false },
		{ "continue_on_error=all", IO_READ, EINVAL, false },
		{ "ignore_error=,ENOSPC", IO_WRITE, ENOSPC, true },
		{ "ignore_error=,ENOSPC", IO_READ, ENOSPC, false },
		{ "ignore_error=,ENOSPC", IO_WRITE, EIO, false },
		{ "ignore_error=EIO:28,,EILSEQ", IO_READ, ENOSPC, true },
		{ "ignore_error=EIO:28,,EILSEQ", IO_READ, EIO, true },
		{ "ignore_error=EIO:28,,EILSEQ", IO_WRITE, EIO, false },
		{ "ignore_error=EIO:28,,EILSEQ", IO_WRITE, EILSEQ, true },
		{ "ignore_error=EIO: continue_on_error=write", IO_READ, EIO, false },
		{ "continue_on_error=write ignore_error=EINVAL", IO_WRITE, EIO, true },
		{ "continue_on_error=write ignore_error=EINVAL", IO_READ, EINVAL, true },
		{ "ignore_error=EINVAL ignore_error=ENOSPC", IO_READ, EINVAL, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct job_opts o;
		struct diag d = { 0 };

		if (set(&o, cases[i].options, &d))
			fail_msg("%s: %s", cases[i].options, diag_text(&d));
		if (errors_survived(&o.errors, cases[i].op, cases[i].err) != cases[i].survived)
			fail_msg("%s: %s of %s", cases[i].options, strerrorname_np(cases[i].err),
				 io_op_name(cases[i].op));
	}
}

static void test_prints(void **state)
{
	static const char *const texts[][2] = {
		{ "EIO", "EIO" },           { "5:28", "EIO:ENOSPC" }, { ",ENOSPC:122", ",ENOSPC:EDQUOT" },
		{ ",,EILSEQ", ",,EILSEQ" }, { "EIO:,,", "EIO" },      { "4000", "4000" },
	};
	const struct opt_row *row = opt_find(&job_options, "ignore_error");

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct job_opts o = { 0 };
		struct strbuf b = { 0 };
		struct diag d = { 0 };

		assert_int_equal(opt_set(row, &o, texts[i][0], &ctx, &d), 0);
		row->type->print(row, &o.errors, &b);
		assert_string_equal(strbuf_str(&b), texts[i][1]);
		strbuf_fini(&b);
	}
}

static void test_refused(void **state)
{
	static const char *const texts[] = { "ignore_error=EFOO",
					     "ignore_error=eio",
					     "ignore_error=,",
					     "ignore_error=EIO,EIO,EIO,EIO",
					     "ignore_error=0",
					     "ignore_error=-5",
					     "ignore_error=99999",
					     "ignore_error=99999999999999999999",
					     "ignore_error=5x",
					     "continue_on_error=reads",
					     "continue_on_error=2",
					     "max_latency=1,2,3,4",
					     "max_latency=10parsec",
					     "error_dump=yes",
					     "ignore_error=1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct job_opts o;
		struct diag d = { 0 };

		if (set(&o, texts[i], &d) == 0)
			fail_msg("%s is taken", texts[i]);
		diag_fini(&d);
	}
}

static void test_max_latency(void **state)
{
	struct job_opts o;
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(set(&o, "max_latency=100", &d), 0);
	assert_true(o.max_latency_ns[0] == 100000 && o.max_latency_ns[2] == 100000);
	assert_int_equal(set(&o, "max_latency=5ms,1s", &d), 0);
	assert_true(o.max_latency_ns[0] == 5000000 && o.max_latency_ns[1] == 1000000000);
}

int unit_errors(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_survives),
		cmocka_unit_test(test_prints),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_max_latency),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
