/* Do log lines have fio's columns, and does a compressed log have the same lines? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <byteswap.h>
#include <string.h>
#include "log_line.h"
#include "strbuf.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* Lines as fio writes them. */
static const struct {
	struct log_line_form form;
	struct log_line line;
	const char *text;
} lines[] = {
	{ { 0 }, { .value = 10776, .bytes = 4096 }, "0, 10776, 0, 4096, 0\n" },
	{ { 0 }, { 250, 3154, .dir = 1 }, "250, 3154, 1, 0, 0\n" },
	{ { 0 }, { 0, 119567, .bytes = 4096, .dir = 1, .prio = 0x2003 }, "0, 119567, 1, 4096, 1\n" },
	{ { 0 }, { 0, 1, .bytes = 4096, .dir = 1, .prio = 0x4003 }, "0, 1, 1, 4096, 0\n" },
	{ { .prio = true },
	  { 0, 99617, .bytes = 4096, .dir = 1, .prio = 0x2003 },
	  "0, 99617, 1, 4096, 0x2003\n" },
	{ { .offset = true },
	  { 0, 143153, .bytes = 4096, .offset = 8192000 },
	  "0, 143153, 0, 4096, 8192000, 0\n" },
	{ { .max = true }, { 500, 84188, 90000, .dir = 2 }, "500, 84188, 90000, 2, 0, 0\n" },
	{ { true, true, true, true },
	  { 1795207723996, 90416, 0, 4096, 8192000, 38716, 0, 0 },
	  "1795207723996, 90416, 0, 0, 4096, 8192000, 0x0000, 38716\n" },
	{ { true, true, true, true },
	  { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, 0xffff, 255 },
	  "18446744073709551615, 18446744073709551615, 18446744073709551615, 255, 18446744073709551615, "
	  "18446744073709551615, 0xffff, 18446744073709551615\n" },
};

static void test_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++) {
		char text[LOG_LINE_MAX + 1];
		size_t n = log_line_text(text, &lines[i].form, &lines[i].line);

		assert_true(n <= LOG_LINE_MAX);
		text[n] = '\0';
		assert_string_equal(text, lines[i].text);
	}
}

/* fio 3.33 compressed the line "0, 6439, 0, 4096, 12288, 0x0000" to these bytes. */
#define FIOS_BYTES 40u
static const struct record {
	uint64_t time_ms, value;
	uint32_t dir, prio;
	uint64_t bytes, offset;
} fios = { 0, 0x1927, 0xc0000000, 0, 0x1000, 0x3000 };

_Static_assert(sizeof(fios) == FIOS_BYTES, "a record has no padding");

static void test_fios_record(void **state)
{
	const struct log_line line = { .value = 6439, .bytes = 4096, .offset = 12288 };
	struct log_line_form form = { .offset = true, .prio = true };
	struct log_line back;
	char to[LOG_LINE_MAX];

	(void)state;
	assert_int_equal(log_line_binary(to, &form, &line), FIOS_BYTES);
	assert_memory_equal(to, &fios, FIOS_BYTES);
	for (size_t n = 0; n < FIOS_BYTES; n++)
		assert_int_equal(log_line_from_binary((const char *)&fios, n, &form, &back), 0);
	assert_int_equal(log_line_from_binary((const char *)&fios, FIOS_BYTES, &form, &back), FIOS_BYTES);
	assert_memory_equal(&back, &line, sizeof(line));
	assert_true(form.offset && form.prio && !form.max && !form.issue);
}

/* A record of another byte order is recognized by any of its fields. */
static void test_foreign(void **state)
{
	static const struct record ours[] = {
		{ 1790000000000, 0, 0, 0, 0, 0 },      { 0, 6439, 0, 0, 0, 0 }, { 0, 0, 0x80000000, 0, 0, 0 },
		{ 0, 0, 0x40000000, 0, 0, 0 },         { 0, 0, 3, 0, 0, 0 },    { 0, 0, 0, 0, 4096, 0 },
		{ 86400001, 77, 1, 0, UINT32_MAX, 0 },
	};

	(void)state;
	assert_false(log_line_foreign((const char *)&fios));
	for (size_t i = 0; i < COUNT(ours); i++) {
		const struct record theirs = { bswap_64(ours[i].time_ms), bswap_64(ours[i].value),
					       bswap_32(ours[i].dir),     bswap_32(ours[i].prio),
					       bswap_64(ours[i].bytes),   bswap_64(ours[i].offset) };

		assert_false(log_line_foreign((const char *)&ours[i]));
		assert_true(log_line_foreign((const char *)&theirs));
	}
}

/* A compressed log has the same lines as an uncompressed one. */
static void test_binary(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++) {
		char to[LOG_LINE_MAX], text[LOG_LINE_MAX + 1];
		struct log_line_form form;
		struct log_line back;
		size_t n;

		if (lines[i].form.max || lines[i].form.issue)
			continue;
		n = log_line_binary(to, &lines[i].form, &lines[i].line);
		assert_int_equal(log_line_from_binary(to, sizeof(to), &form, &back), n);
		text[log_line_text(text, &form, &back)] = '\0';
		assert_string_equal(text, lines[i].text);
	}
}

static void test_hist(void **state)
{
	static const uint64_t count[8] = { 6, 31, 0, 12, 0, 0, 1, UINT64_MAX };
	struct strbuf b = { 0 };

	(void)state;
	log_line_hist(&b, 301, 1, 4096, count, 8, 0);
	assert_string_equal(strbuf_str(&b), "301, 1, 4096, 6, 31, 0, 12, 0, 0, 1, 18446744073709551615\n");
	strbuf_clear(&b);
	log_line_hist(&b, 301, 0, 4096, count, 7, 1);
	assert_string_equal(strbuf_str(&b), "301, 0, 4096, 37, 12, 0, 1\n");
	strbuf_clear(&b);
	log_line_hist(&b, 0, 0, 0, count, 7, 3);
	assert_string_equal(strbuf_str(&b), "0, 0, 0, 50\n");
	strbuf_fini(&b);
}

int unit_log_line(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),    cmocka_unit_test(test_fios_record),
		cmocka_unit_test(test_foreign), cmocka_unit_test(test_binary),
		cmocka_unit_test(test_hist),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
