/* Is the JSON valid and formatted like fio's, for any text? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include "jsonw.h"
#include "strbuf.h"

static void layout_is_fios(void **state)
{
	struct strbuf b = { 0 };
	struct jsonw w;

	(void)state;
	jsonw_init(&w, &b);
	jsonw_object(&w, NULL);
	jsonw_str(&w, "fio version", "fio-3.42");
	jsonw_array(&w, "jobs");
	jsonw_object(&w, NULL);
	jsonw_u64(&w, "max", UINT64_MAX);
	jsonw_i64(&w, "min", INT64_MIN);
	jsonw_double(&w, "iops", 55395.868044);
	jsonw_end_object(&w);
	jsonw_object(&w, NULL);
	jsonw_bool(&w, "yes", true);
	jsonw_bool(&w, "no", false);
	jsonw_end_object(&w);
	jsonw_end_array(&w);
	jsonw_array(&w, "none");
	jsonw_end_array(&w);
	jsonw_object(&w, "empty");
	jsonw_end_object(&w);
	jsonw_array(&w, "list");
	jsonw_str(&w, NULL, "a");
	jsonw_i64(&w, NULL, -1);
	jsonw_end_array(&w);
	jsonw_end_object(&w);
	assert_string_equal(strbuf_str(&b), "{\n"
					    "  \"fio version\" : \"fio-3.42\",\n"
					    "  \"jobs\" : [\n"
					    "    {\n"
					    "      \"max\" : 18446744073709551615,\n"
					    "      \"min\" : -9223372036854775808,\n"
					    "      \"iops\" : 55395.868044\n"
					    "    },\n"
					    "    {\n"
					    "      \"yes\" : true,\n"
					    "      \"no\" : false\n"
					    "    }\n"
					    "  ],\n"
					    "  \"none\" : [\n"
					    "  ],\n"
					    "  \"empty\" : {\n"
					    "  },\n"
					    "  \"list\" : [\n"
					    "    \"a\",\n"
					    "    -1\n"
					    "  ]\n"
					    "}");
	strbuf_fini(&b);
}

/* clang-format off */
static const struct { const char *text, *json; } texts[] = {
	{ "", "\"\"" },
	{ NULL, "\"\"" },
	{ "plain", "\"plain\"" },
	{ "a\"b\\c/d", "\"a\\\"b\\\\c/d\"" },
	{ "\b\t\n\v\f\r", "\"\\b\\t\\n\\u000b\\f\\r\"" },
	{ "\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\"" },
	{ "gr\xc3\xbc\xc3\x9f", "\"gr\xc3\xbc\xc3\x9f\"" },
	{ "\xe2\x82\xac \xf0\x9f\x98\x80", "\"\xe2\x82\xac \xf0\x9f\x98\x80\"" },
	{ "\xff", "\"\xef\xbf\xbd\"" },
	{ "a\x80" "b", "\"a\xef\xbf\xbd" "b\"" },
	{ "\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"" },                              /* overlong '/' */
	{ "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },              /* a surrogate */
	{ "\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" }, /* beyond U+10FFFF */
	{ "cut \xe2\x82", "\"cut \xef\xbf\xbd\xef\xbf\xbd\"" },
	{ "cut \xf0\x9f\x98\"", "\"cut \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\\\"\"" },
};

static const struct { double value; const char *json; } doubles[] = {
	{ 0, "0.000000" },
	{ 1, "1.000000" },
	{ -2.5, "-2.500000" },
	{ 0.1234567, "0.123457" },
	{ 9007199254740993.0, "9007199254740992.000000" },
	{ NAN, "0.000000" },
	{ INFINITY, "0.000000" },
	{ -INFINITY, "0.000000" },
};
/* clang-format on */

static void text_is_escaped(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct strbuf b = { 0 };
		struct jsonw w;

		jsonw_init(&w, &b);
		jsonw_str(&w, NULL, texts[i].text);
		assert_string_equal(strbuf_str(&b), texts[i].json);
		strbuf_fini(&b);
	}
}

static void keys_are_escaped(void **state)
{
	struct strbuf b = { 0 };
	struct jsonw w;

	(void)state;
	jsonw_init(&w, &b);
	jsonw_object(&w, NULL);
	jsonw_str(&w, "a\t\"b\"\xfe", "c");
	jsonw_end_object(&w);
	assert_string_equal(strbuf_str(&b), "{\n  \"a\\t\\\"b\\\"\xef\xbf\xbd\" : \"c\"\n}");
	strbuf_fini(&b);
}

/* For any three bytes in a text the output is UTF-8 for the C library and has no control characters. */
static void output_is_utf8(void **state)
{
	(void)state;
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		skip();
	for (unsigned v = 0; v < 1u << 16; v++) {
		char text[] = { (char)(v >> 8), (char)(v & 0xff), (char)(0x80 + v % 128), 'x', '\0' };
		struct strbuf b = { 0 };
		struct jsonw w;

		jsonw_init(&w, &b);
		jsonw_str(&w, NULL, text);
		assert_true(mbstowcs(NULL, strbuf_str(&b), 0) != (size_t)-1);
		for (const char *p = strbuf_str(&b); *p; p++)
			assert_true((unsigned char)*p >= 0x20);
		strbuf_fini(&b);
	}
}

static void check_doubles(void)
{
	for (size_t i = 0; i < sizeof(doubles) / sizeof(doubles[0]); i++) {
		struct strbuf b = { 0 };
		struct jsonw w;

		jsonw_init(&w, &b);
		jsonw_double(&w, NULL, doubles[i].value);
		assert_string_equal(strbuf_str(&b), doubles[i].json);
		strbuf_fini(&b);
	}
}

static void doubles_have_six_decimals(void **state)
{
	struct strbuf b = { 0 };
	struct jsonw w;

	(void)state;
	check_doubles();
	jsonw_init(&w, &b);
	jsonw_double(&w, NULL, -DBL_MAX);
	assert_true(strtod(strbuf_str(&b), NULL) <= -DBL_MAX);
	strbuf_fini(&b);
}

static void doubles_ignore_the_locale(void **state)
{
	static const char *const commas[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8" };
	bool found = false;

	(void)state;
	for (size_t i = 0; i < sizeof(commas) / sizeof(commas[0]) && !found; i++)
		found = setlocale(LC_NUMERIC, commas[i]) != NULL;
	if (!found)
		skip();
	check_doubles();
	setlocale(LC_NUMERIC, "C");
}

int unit_jsonw(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layout_is_fios),
		cmocka_unit_test(text_is_escaped),
		cmocka_unit_test(keys_are_escaped),
		cmocka_unit_test(output_is_utf8),
		cmocka_unit_test(doubles_have_six_decimals),
		cmocka_unit_test(doubles_ignore_the_locale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
