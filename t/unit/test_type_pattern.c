/* buffer_pattern: is the pattern the same as fio 3.33's, and are invalid ones refused? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "job.h"
#include "content.h"
#include "rows.h"
#include "strbuf.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

static const struct opt_ctx ctx = { .kb_base = 1024 };

/* clang-format off */
static const struct { const char *text, *bytes; uint32_t len; } good[] = {
	{ "0xdeadbeef", "\xde\xad\xbe\xef", 4 }, { "0xDEADbeef", "\xde\xad\xbe\xef", 4 }, { "0XAB", "\xab", 1 },
	{ "0xabc", "\x0a\xbc", 2 }, { "0x123456789abcdef0123456789", "\x01\x23\x45\x67\x89\xab\xcd\xef\x01\x23\x45\x67\x89", 13 },
	{ "0", "\0", 1 }, { "1", "\1", 1 }, { "010", "\x0a", 1 }, { "+5", "\5", 1 }, { "256", "\0\1", 2 },
	{ "12345", "\x39\x30", 2 }, { "65535", "\xff\xff", 2 }, { "65536", "\0\0\1", 3 }, { "2147483647", "\xff\xff\xff\x7f", 4 },
	{ "-1", "\xff\xff\xff\xff", 4 }, { "-12", "\xf4\xff\xff\xff", 4 }, { "-2147483648", "\0\0\0\x80", 4 },
	{ "\"abcd\"", "abcd", 4 }, { "\"a:b,c\"", "a:b,c", 5 }, { "\"a\\n\"", "a\\n", 3 }, { "\"%o\"", "%o", 2 }, { "\"'\"", "'", 1 },
	{ "0xdeadface\"abcd\"-12'pf'", "\xde\xad\xfa\xce" "abcd\xf4\xff\xff\xffHELLO\n", 18 },
	{ "\"abcd\"-120xdeadface", "abcd\xf4\xff\xff\xff\xde\xad\xfa\xce", 12 }, { "120xab", "\x0c\xab", 2 },
	{ "00x5", "\0\5", 2 }, { "10x5", "\1\5", 2 }, { "-00x12", "\0\x12", 2 }, { "0xaa\"x\"-10X5", "\xaax\xff\xff\xff\xff\5", 7 },
	{ "1 2", "\1\2", 2 }, { " \"a\" \"b\" ", "ab", 2 }, { "12\"a\"", "\x0c" "a", 2 }, { "0x1\"x\"0x2", "\1x\2", 3 },
	{ "'pf'1", "HELLO\n\1", 7 },
};
static const struct { const char *text, *says; } bad[] = {
	{ "", "empty" }, { "  ", "empty" }, { "\"\"", "empty" }, { "deadbeef", "\"text\"" }, { "abc", "'file'" }, { "-", "not a pattern" },
	{ "0x", "no hex digit" }, { "0xzz", "no hex digit" }, { "0xag", "not a pattern" }, { "1k", "not a pattern" }, { "1.5", "not a pattern" },
	{ "-0x12", "not a pattern" }, { "\"abc", "closing \"" }, { "'pf", "closing '" }, { "%x", "%x is not known" }, { "%", "is not known" },
	{ "2147483648", "in hex" }, { "-2147483649", "in hex" }, { "99999999999999999999999", "in hex" },
	{ "''", "cannot read ''" }, { "'nope'", "ENOENT" }, { "'.'", "is a directory" }, { "'/dev/zero'", "is a device" }, { "'empty'", "is empty" },
	{ "'huge'", "a pattern has up to 1048576" }, { "'fifo'", "no plain file" }, { "'most''pf'", "up to 1048576" },
};
/* clang-format on */

static const struct pattern *set(struct job_opts *o, const char *text, struct diag *d)
{
	const struct opt_row *row = opt_find(&job_options, "buffer_pattern");

	return opt_set(row, o, text, &ctx, d) ? NULL : o->buffer.pattern;
}

static void test_good(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(good); i++) {
		struct job_opts o = { 0 };
		struct diag d = { 0 };
		const struct pattern *p = set(&o, good[i].text, &d);

		if (!p)
			fail_msg("%s: %s", good[i].text, diag_text(&d));
		assert_int_equal(p->len, good[i].len);
		assert_memory_equal(p->bytes, good[i].bytes, p->len);
		assert_int_equal(p->noffsets, 0);
		opt_fini(&job_options, &o);
	}
}

static void test_bad(void **state)
{
	struct job_opts o = { 0 };
	struct diag before = { 0 };

	(void)state;
	assert_non_null(set(&o, "\"kept\"", &before));
	for (size_t i = 0; i < LEN(bad); i++) {
		struct diag d = { 0 };

		if (set(&o, bad[i].text, &d) || !strstr(diag_text(&d), bad[i].says))
			fail_msg("%s: %s", bad[i].text, diag_text(&d));
		diag_fini(&d);
	}
	assert_memory_equal(o.buffer.pattern->bytes, "kept", 4);
	opt_fini(&job_options, &o);
}

static void test_offsets(void **state)
{
	struct job_opts o = { 0 };
	struct diag d = { 0 };
	const struct pattern *p = set(&o, "\"a\"%o%o\"bc\"%o", &d);

	(void)state;
	assert_non_null(p);
	assert_int_equal(p->len, 27);
	assert_int_equal(p->noffsets, 3);
	assert_int_equal(p->offset_at[0], 1);
	assert_int_equal(p->offset_at[1], 9);
	assert_int_equal(p->offset_at[2], 19);
	opt_fini(&job_options, &o);
}

/* A whole file of any bytes, up to the limit. */
static void test_most(void **state)
{
	struct job_opts o = { 0 };
	struct diag d = { 0 };
	const struct pattern *p = set(&o, "'most'", &d);

	(void)state;
	assert_non_null(p);
	assert_int_equal(p->len, 1 << 20);
	for (uint32_t i = 0; i < p->len; i++)
		assert_int_equal(p->bytes[i], i % 251);
	opt_fini(&job_options, &o);
}

static void test_printed(void **state)
{
	struct job_opts a = { 0 };
	struct diag d = { 0 };
	struct strbuf text = { 0 };
	const struct opt_row *row = opt_find(&job_options, "buffer_pattern");

	(void)state;
	assert_int_equal(opt_defaults(&job_options, &a, &d), 0);
	assert_null(a.buffer.pattern);
	assert_non_null(set(&a, "0xab\"x\"", &d));
	row->type->print(row, &a.buffer.pattern, &text);
	assert_string_equal(strbuf_str(&text), "0xab\"x\"");
	assert_memory_equal(a.buffer.pattern->bytes, "\xabx", 2);
	opt_fini(&job_options, &a);
	strbuf_fini(&text);
}

static void put(const char *name, size_t bytes, const char *text)
{
	FILE *f = fopen(name, "we");

	assert_non_null(f);
	for (size_t i = 0; i < bytes; i++)
		putc(text ? text[i] : (int)(i % 251), f);
	fclose(f);
}

static char temp[] = "/tmp/fiord-pattern.XXXXXX";

static int make_files(void **state)
{
	(void)state;
	if (!mkdtemp(temp) || chdir(temp))
		return -1;
	put("pf", 6, "HELLO\n");
	put("empty", 0, NULL);
	put("most", 1 << 20, NULL);
	put("huge", (1 << 20) + 1, NULL);
	return mkfifo("fifo", 0600);
}

static int remove_files(void **state)
{
	static const char *const names[] = { "pf", "empty", "most", "huge", "fifo" };

	(void)state;
	for (size_t i = 0; i < LEN(names); i++)
		unlink(names[i]);
	return chdir("/") || rmdir(temp);
}

int unit_type_pattern(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good), cmocka_unit_test(test_bad),     cmocka_unit_test(test_offsets),
		cmocka_unit_test(test_most), cmocka_unit_test(test_printed),
	};

	return cmocka_run_group_tests(tests, make_files, remove_files);
}
