/* Is JSON accepted and refused as it must be, and are its values right? Expected values are from RFC 8259, or
   computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "jsonr.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static struct json parse(const char *text)
{
	const char *at, *why;
	struct json v;

	why = json_parse(text, strlen(text), &v, &at);
	if (why)
		fail_msg("%s: %s", text, why);
	return v;
}

static void texts(void **state)
{
	static const struct {
		const char *text;
		long bad_at; /* where it is refused; -1: it is accepted */
	} rows[] = {
		{ "{}", -1 },
		{ " \n[ ]x", -1 },
		{ "{\"a\":1,\"b\":[true,false,null,-1.5e+3,\"\\u00e9\"]}", -1 },
		{ "{\"a\t\x01\":\"\xff\"}", -1 }, /* fio escapes no control characters */
		{ "{\"a\":1,\"a\":2}", -1 },
		{ "", 0 },
		{ "1", 0 },
		{ "x", 0 },
		{ "{", 1 },
		{ "{\"a\"", 4 },
		{ "{\"a\":", 5 },
		{ "{\"a\":1", 6 },
		{ "{\"a\":1,}", 7 },
		{ "{a:1}", 1 },
		{ "[1 2]", 3 },
		{ "[1,]", 3 },
		{ "[NaN]", 1 },
		{ "[-inf]", 2 },
		{ "[tru]", 1 },
		{ "[\"\\x\"]", 4 },
		{ "[\"\\u12g4\"]", 7 },
		{ "[\"abc", 5 },
		{ "[1.]", 3 },
		{ "[1e]", 3 },
		{ "[1}", 2 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *at, *why;
		struct json v;

		why = json_parse(rows[i].text, strlen(rows[i].text), &v, &at);
		if ((rows[i].bad_at < 0) != !why || (why && at - rows[i].text != rows[i].bad_at))
			fail_msg("%s: %s at %td", rows[i].text, why ? why : "accepted", at - rows[i].text);
	}
}

static void depth_has_a_limit(void **state)
{
	char text[2 * JSON_DEPTH + 4] = "";
	const char *at;
	struct json v;

	(void)state;
	memset(text, '[', JSON_DEPTH);
	memset(text + JSON_DEPTH, ']', JSON_DEPTH);
	assert_null(json_parse(text, strlen(text), &v, &at));
	memset(text, '[', JSON_DEPTH + 1);
	memset(text + JSON_DEPTH + 1, ']', JSON_DEPTH + 1);
	assert_non_null(json_parse(text, strlen(text), &v, &at));
}

static void members_are_found(void **state)
{
	struct json v =
		parse("{ \"a\" : {\"x\":[\"}\",\"\\\"]\"]} , \"b\":7,\"c\":[1,[2,3],\"4\"],\"b\": 8 }");
	struct json_iter it = json_iter(v), in;
	struct json_index ix;
	static const char keys[] = "abcb";
	uint64_t n = 0;

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		assert_true(json_next(&it));
		assert_int_equal(it.key.at[1], keys[i]);
	}
	assert_false(json_next(&it));
	assert_false(json_next(&it));
	assert_true(json_index(&ix, v));
	assert_int_equal(ix.n, 4);
	assert_int_equal(json_u64(json_get(&ix, "b"), &n), 0);
	assert_int_equal(n, 8);
	assert_null(json_get(&ix, "x").at);
	in = json_iter(json_get(&ix, "c"));
	assert_true(json_next(&in) && json_next(&in));
	assert_int_equal(json_kind(in.value), JSON_ARRAY);
	assert_int_equal(in.value.end - in.value.at, 5);
	assert_true(json_next(&in));
	assert_true(json_is(in.value, "4"));
	assert_false(json_next(&in));
	in = json_iter(json_get(&ix, "b"));
	assert_false(json_next(&in));
}

static void numbers(void **state)
{
	static const struct {
		const char *text;
		int ret;
		uint64_t value;
		int ret_double;
		double real;
	} rows[] = {
		{ "0", 0, 0, 0, 0 },
		{ "9007199254740993", 0, 9007199254740993u, 0, 9007199254740992.0 },
		{ "18446744073709551615", 0, UINT64_MAX, 0, 18446744073709551616.0 },
		{ "18446744073709551616", -ERANGE, 0, 0, 18446744073709551616.0 },
		{ "1e3", 0, 1000, 0, 1000 },
		{ "12.0", 0, 12, 0, 12 },
		{ "12.5", -EINVAL, 0, 0, 12.5 },
		{ "-1", -EINVAL, 0, 0, -1 },
		{ "-0", 0, 0, 0, 0 },
		{ "1e20", -ERANGE, 0, 0, 1e20 },
		{ "1e400", -ERANGE, 0, -ERANGE, 0 },
		{ "\"5\"", -EINVAL, 0, -EINVAL, 0 },
		{ "null", -EINVAL, 0, -EINVAL, 0 },
		{ "true", -EINVAL, 0, -EINVAL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char text[64] = "[";
		uint64_t n = 0;
		double real = 0;
		struct json_iter it;

		strcat(strcat(text, rows[i].text), "]");
		it = json_iter(parse(text));
		assert_true(json_next(&it));
		if (json_u64(it.value, &n) != rows[i].ret || n != rows[i].value)
			fail_msg("%s: %d, %llu", rows[i].text, json_u64(it.value, &n), (unsigned long long)n);
		if (json_double(it.value, &real) != rows[i].ret_double || real != rows[i].real)
			fail_msg("%s: %f", rows[i].text, real);
	}
}

static void numbers_in_strings(void **state)
{
	static const struct {
		const char *text;
		int ret, ret_double;
		double real;
	} rows[] = {
		{ "12", 0, 0, 12 },
		{ "", -EINVAL, -EINVAL, 0 },
		{ "99.900000", -EINVAL, 0, 99.9 },
		{ "0x10", -EINVAL, -EINVAL, 0 },
		{ " 1", -EINVAL, -EINVAL, 0 },
		{ "inf", -EINVAL, -EINVAL, 0 },
		{ "-inf", -EINVAL, -ERANGE, 0 },
		{ "1,5", -EINVAL, -EINVAL, 0 },
		{ "nan", -EINVAL, -EINVAL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char text[64] = "[\"";
		struct json_iter it;
		uint64_t n = 0;
		double real = 0;

		strcat(strcat(text, rows[i].text), "\"]");
		it = json_iter(parse(text));
		assert_true(json_next(&it));
		assert_int_equal(json_text_u64(it.value, &n), rows[i].ret);
		if (json_text_double(it.value, &real) != rows[i].ret_double || real != rows[i].real)
			fail_msg("%s: %f", rows[i].text, real);
	}
}

static void strings(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "[\"plain\"]", "plain" },
		{ "[\"\"]", "" },
		{ "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "\"\\/\b\f\n\r\t" },
		{ "[\"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\"]", "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80" },
		{ "[\"\xC3\xA9\xE2\x82\xAC\"]", "\xC3\xA9\xE2\x82\xAC" },
		{ "[\"a\\u0000b\"]", "a\xEF\xBF\xBD"
				     "b" },
		{ "[\"\\ud800x\"]", "\xEF\xBF\xBDx" },
		{ "[\"\\udc00\"]", "\xEF\xBF\xBD" },
		{ "[\"\\ud800\\u0041\"]", "\xEF\xBF\xBD"
					  "A" },
		{ "[\"\xff\xC3\"]", "\xEF\xBF\xBD\xEF\xBF\xBD" },
		{ "[\"\xED\xA0\x80\"]", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD" },
		{ "[1]", NULL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct json_iter it = json_iter(parse(rows[i].text));
		struct arena a = { 0 };
		const char *got;

		assert_true(json_next(&it));
		got = json_text(it.value, &a);
		if (rows[i].want)
			assert_string_equal(got, rows[i].want);
		else
			assert_null(got);
		arena_fini(&a);
	}
}

/* Compares two readings of a text, value by value. Returns the number of values. */
static unsigned compare(struct json a, struct json b)
{
	struct json_iter x = json_iter(a), y = json_iter(b);
	unsigned n = 1;

	assert_ptr_equal(a.at, b.at);
	assert_ptr_equal(a.end, b.end);
	while (json_next(&x)) {
		assert_true(json_next(&y));
		n += compare(x.value, y.value);
	}
	assert_false(json_next(&y));
	return n;
}

/* Adds arrays in arrays of numbers, so that long values of all lengths stand in one another. */
static char *put_nested(char *to, unsigned depth, unsigned width)
{
	to += sprintf(to, "{\"]}\\\"\":[");
	for (unsigned i = 0; i < width; i++) {
		if (depth)
			to = put_nested(to, depth - 1, width);
		else
			to += sprintf(to, "%u", i);
		*to++ = i + 1 < width ? ',' : ']';
	}
	*to++ = '}';
	*to = '\0';
	return to;
}

/* With the table of ends the values are the same, also where there are more long values than it holds. */
static void long_values_end_where_they_do(void **state)
{
	static const struct {
		unsigned depth, width;
	} rows[] = { { 0, 1 }, { 0, 9000 }, { 1, 70 }, { 2, 40 }, { 5, 8 }, { 1, 2000 } };
	static struct json_ends ends;
	char *text = malloc(24 << 20);
	bool full = false;

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct json a, b;
		const char *at, *end = put_nested(text, rows[i].depth, rows[i].width);

		memset(&ends, 0xff, sizeof(ends));
		assert_null(json_parse_ends(text, (size_t)(end - text), &ends, &a, &at));
		assert_null(json_parse(text, (size_t)(end - text), &b, &at));
		assert_true(compare(a, b) > rows[i].width);
		assert_true(end - text < 8192 || ends.n > 0);
		full |= ends.n >= JSON_ENDS / 4;
	}
	assert_true(full);
	free(text);
}

int unit_jsonr(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts),
		cmocka_unit_test(depth_has_a_limit),
		cmocka_unit_test(members_are_found),
		cmocka_unit_test(numbers),
		cmocka_unit_test(numbers_in_strings),
		cmocka_unit_test(strings),
		cmocka_unit_test(long_values_end_where_they_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
