/* Sizes and times as users write them, and numbers as fio prints them. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <math.h>
#include "strbuf.h"
#include "units.h"

#define LEN(a)    (sizeof(a) / sizeof((a)[0]))
#define UNTOUCHED 0xdeadbeefdeadbeefull

/* clang-format off */
static const struct { const char *text; unsigned kb_base; int ret; uint64_t bytes; } sizes[] = {
	{ "0", 1024, 0, 0 }, { "4096", 1024, 0, 4096 }, { "4096b", 1024, 0, 4096 }, { " 4k ", 1024, 0, 4096 },
	{ "4k", 1024, 0, 4096 }, { "4K", 1024, 0, 4096 }, { "4kb", 1024, 0, 4096 }, { "4ki", 1024, 0, 4096 },
	{ "4KiB", 1024, 0, 4096 }, { "4kib", 1000, 0, 4096 }, { "4k", 1000, 0, 4000 }, { "4kb", 1000, 0, 4000 },
	{ "4ki", 1000, 0, 4000 }, { "1m", 1024, 0, 1 << 20 }, { "1MiB", 1000, 0, 1 << 20 }, { "1m", 1000, 0, 1000000 },
	{ "1g", 1024, 0, 1ull << 30 }, { "1t", 1024, 0, 1ull << 40 }, { "1p", 1024, 0, 1ull << 50 },
	{ "1P", 1000, 0, 1000000000000000ull },
	{ "4.5k", 1024, 0, 4608 }, { "0.5k", 1024, 0, 512 }, { ".5k", 1024, 0, 512 }, { "1.50g", 1024, 0, 1610612736 },
	{ "4.0", 1024, 0, 4 }, { "4.5k", 1000, 0, 4500 },
	{ "4.5", 1024, -EINVAL, 0 }, { "4.3k", 1024, -EINVAL, 0 }, { "4.", 1024, -EINVAL, 0 }, { ".", 1024, -EINVAL, 0 },
	{ "4..5k", 1024, -EINVAL, 0 }, { "1.2.3k", 1024, -EINVAL, 0 },
	{ "0x10", 1024, 0, 16 }, { "0X1f", 1024, 0, 31 }, { "0x", 1024, -EINVAL, 0 }, { "0x10k", 1024, -EINVAL, 0 },
	{ "0x10kib", 1024, -EINVAL, 0 },
	{ "", 1024, -EINVAL, 0 }, { " ", 1024, -EINVAL, 0 }, { "k", 1024, -EINVAL, 0 }, { "4x", 1024, -EINVAL, 0 },
	{ "4q", 1024, -EINVAL, 0 }, { "10foo", 1024, -EINVAL, 0 }, { "4kk", 1024, -EINVAL, 0 }, { "4 k", 1024, -EINVAL, 0 },
	{ "4k 4k", 1024, -EINVAL, 0 }, { "-1", 1024, -EINVAL, 0 }, { "+1", 1024, -EINVAL, 0 }, { "4z", 1024, -EINVAL, 0 },
	{ "50%", 1024, -EINVAL, 0 }, { "4kibibibibibibibibibib", 1024, -EINVAL, 0 }, { "1e3", 1024, -EINVAL, 0 },
	{ "18446744073709551615", 1024, 0, UINT64_MAX }, { "18446744073709551616", 1024, -ERANGE, 0 },
	{ "0xffffffffffffffff", 1024, 0, UINT64_MAX }, { "0x10000000000000000", 1024, -ERANGE, 0 },
	{ "16384p", 1024, -ERANGE, 0 }, { "16383p", 1024, 0, 16383ull << 50 },
	{ "99999999999t", 1024, -ERANGE, 0 }, { "0.00000000000000000001k", 1024, -EINVAL, 0 },
};

#define US 1000ull
#define MS (1000 * US)
#define S  (1000 * MS)
static const struct { const char *text; uint64_t unit; int ret; uint64_t ns; } times[] = {
	{ "30", S, 0, 30 * S }, { "30", US, 0, 30 * US }, { "0", S, 0, 0 }, { "0x10", S, 0, 16 * S },
	{ "10us", S, 0, 10 * US }, { "10usec", S, 0, 10 * US }, { "10ms", S, 0, 10 * MS }, { "10msec", S, 0, 10 * MS },
	{ "10s", US, 0, 10 * S }, { "10S", US, 0, 10 * S }, { "10sec", US, 0, 10 * S }, { "10seconds", US, 0, 10 * S },
	{ "10m", S, 0, 600 * S }, { "10min", S, 0, 600 * S }, { "10minutes", S, 0, 600 * S }, { "1h", S, 0, 3600 * S },
	{ "1hour", S, 0, 3600 * S }, { "2hours", S, 0, 7200 * S }, { "1d", S, 0, 86400 * S }, { "1day", S, 0, 86400 * S },
	{ "1.5s", S, 0, 1500 * MS }, { "1.5", S, 0, 1500 * MS }, { "0.5us", S, 0, 500 }, { "7ns", S, 0, 7 },
	{ "0.1ns", S, -EINVAL, 0 }, { "", S, -EINVAL, 0 }, { "s", S, -EINVAL, 0 }, { "10x", S, -EINVAL, 0 },
	{ "10foo", S, -EINVAL, 0 }, { "-1", S, -EINVAL, 0 }, { "10 s", S, -EINVAL, 0 }, { "1m30s", S, -EINVAL, 0 },
	{ "0x10s", S, -EINVAL, 0 }, { "10kib", S, -EINVAL, 0 }, { "10%", S, -EINVAL, 0 },
	{ "99999999999d", S, -ERANGE, 0 }, { "18446744073709551615", S, -ERANGE, 0 },
};

static const struct { const char *text; int ret; struct amount amount; } amounts[] = {
	{ "4k", 0, { 4096, 0 } }, { "50%", 0, { 0, 50 } }, { "100%", 0, { 0, 100 } }, { "0%", 0, { 0, 0 } },
	{ " 7% ", 0, { 0, 7 } }, { "101%", 0, { 0, 101 } }, { "99999999999999999999999%", -ERANGE, { 0, 0 } },
	{ "%", -EINVAL, { 0, 0 } }, { "5%%", -EINVAL, { 0, 0 } }, { "1.5%", -EINVAL, { 0, 0 } },
	{ "5k%", -EINVAL, { 0, 0 } }, { "-5%", -EINVAL, { 0, 0 } }, { "4x", -EINVAL, { 0, 0 } }, { "2z", 0, { .zones = 2 } },
	{ "0z", 0, { 0, 0 } }, { "1.5z", -EINVAL, { 0, 0 } }, { "0x2z", -EINVAL, { 0, 0 } }, { "z", -EINVAL, { 0, 0 } },
	{ "99999999999999999999z", -ERANGE, { 0, 0 } },
};

/* Recorded from fio 3.33: io= of group rows, for jobs of exactly this many bytes with this many significant_figures. */
static const struct { unsigned digits; uint64_t value; const char *iec, *si; } nums[] = {
	{ 4, 1, "1B", "1B" }, { 4, 999, "999B", "999B" }, { 4, 1023, "1023B", "1023B" }, { 4, 9999, "9999B", "9999B" },
	{ 4, 10239, "10.00KiB", "10.2kB" }, { 4, 99950, "97.6KiB", "99.9kB" }, { 4, 99960, "97.6KiB", "100.0kB" },
	{ 4, 999500, "976KiB", "1000kB" }, { 4, 999999, "977KiB", "1000kB" }, { 4, 1048063, "1023KiB", "1048kB" },
	{ 4, 4194304, "4096KiB", "4194kB" }, { 4, 10485700, "10.00MiB", "10.5MB" }, { 4, 99970000, "95.3MiB", "100.0MB" },
	{ 4, 20669530112, "19.2GiB", "20.7GB" }, { 5, 99950, "99950B", "99950B" }, { 5, 999500, "976.1KiB", "999.5kB" },
	{ 5, 999999, "976.6KiB", "1000.0kB" }, { 5, 883957956608, "823.2GiB", "884.0GB" }, { 1, 9, "9B", "9B" },
	{ 1, 12, "0KiB", "0kB" },
};

static const struct { uint64_t value, scale; unsigned digits; bool pow2; enum units_kind kind; const char *text; } kinds[] = {
	{ 54400, 1, 4, false, UNITS_NONE, "54.4k" }, { 4108800, 1, 6, false, UNITS_NONE, "4108.8k" },
	{ 223346688, 1, 4, true, UNITS_BYTES_PER_S, "213MiB/s" }, { 223346688, 1, 4, false, UNITS_BYTES_PER_S, "223MB/s" },
	{ 7837057024, 1, 4, true, UNITS_BYTES_PER_S, "7474MiB/s" }, { 1073741824, 1, 4, true, UNITS_BYTES, "1024MiB" },
	{ 1024, 1024, 4, true, UNITS_BYTES, "1024KiB" }, { 1024, 1024, 4, false, UNITS_BYTES, "1049kB" },
	{ 1048576000, 1, 4, true, UNITS_BITS_PER_S, "8000Mibit/s" }, { 1048576000, 1, 4, false, UNITS_BITS_PER_S, "8389Mbit/s" },
};
/* clang-format on */

static void test_size(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(sizes); i++) {
		uint64_t v = UNTOUCHED;
		const char *hint = NULL;
		int ret = units_size(sizes[i].text, sizes[i].kb_base, &v, &hint);

		if (ret != sizes[i].ret || v != (ret ? UNTOUCHED : sizes[i].bytes) || !hint != !ret)
			fail_msg("\"%s\": %d, %llu, %s", sizes[i].text, ret, (unsigned long long)v,
				 hint ? hint : "no hint");
	}
}

static void test_time(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(times); i++) {
		uint64_t v = UNTOUCHED;
		const char *hint = NULL;
		int ret = units_time(times[i].text, times[i].unit, &v, &hint);

		if (ret != times[i].ret || v != (ret ? UNTOUCHED : times[i].ns) || !hint != !ret)
			fail_msg("\"%s\": %d, %llu, %s", times[i].text, ret, (unsigned long long)v,
				 hint ? hint : "no hint");
	}
}

static void test_amount(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(amounts); i++) {
		struct amount v = { UNTOUCHED, 77, 5 };
		const struct amount want = amounts[i].ret ? v : amounts[i].amount;
		int ret = units_amount(amounts[i].text, 1024, &v, NULL);

		if (ret != amounts[i].ret || v.bytes != want.bytes || v.percent != want.percent ||
		    v.zones != want.zones)
			fail_msg("\"%s\": %d, %llu, %u%%", amounts[i].text, ret, (unsigned long long)v.bytes,
				 v.percent);
	}
}

/* Each kind of mistake has its own hint. */
static void test_hints(void **state)
{
	static const struct {
		const char *text, *part;
	} hints[] = { { "4.5", "suffix" },     { "4.3k", "whole" },      { "4x", "4096, 4k" },
		      { "-1", "negative" },    { "0x10k", "hexadec" },   { "4z", "zones" },
		      { "50%", "percentage" }, { "99999p", "too large" } };
	const char *hint = NULL;

	(void)state;
	for (size_t i = 0; i < LEN(hints); i++) {
		uint64_t v;

		assert_int_not_equal(units_size(hints[i].text, 1024, &v, &hint), 0);
		assert_non_null(strstr(hint, hints[i].part));
	}
	assert_int_equal(units_time("10foo", S, &(uint64_t){ 0 }, &hint), -EINVAL);
	assert_non_null(strstr(hint, "us, ms, s, m, h or d"));
}

static void check_num(uint64_t value, unsigned digits, uint64_t scale, bool pow2, enum units_kind kind,
		      const char *want)
{
	struct strbuf b = { 0 };

	units_num(&b, value, digits, scale, pow2, kind);
	assert_string_equal(strbuf_str(&b), want);
	strbuf_fini(&b);
}

static void test_num(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(nums); i++) {
		check_num(nums[i].value, nums[i].digits, 1, true, UNITS_BYTES, nums[i].iec);
		check_num(nums[i].value, nums[i].digits, 1, false, UNITS_BYTES, nums[i].si);
	}
	for (size_t i = 0; i < LEN(kinds); i++)
		check_num(kinds[i].value, kinds[i].digits, kinds[i].scale, kinds[i].pow2, kinds[i].kind,
			  kinds[i].text);
}

/* A printed value parses back to the same value. */
static void test_round_trip(void **state)
{
	(void)state;
	for (unsigned bit = 0; bit < 64; bit++) {
		for (int off = -1; off <= 1; off++) {
			uint64_t v = (1ull << bit) + (uint64_t)off, back = UNTOUCHED;
			uint64_t unit = bit % 2 ? S : US;

			assert_int_equal(units_size(units_suffixed(v).text, 1024, &back, NULL), 0);
			assert_true(back == v);
			assert_int_equal(units_time(units_duration(v, unit).text, unit, &back, NULL), 0);
			assert_true(back == v);
		}
	}
}

static void test_print(void **state)
{
	(void)state;
	assert_string_equal(units_suffixed(64 << 20).text, "64m");
	assert_string_equal(units_suffixed(4097).text, "4097");
	assert_string_equal(units_duration(90 * S, S).text, "90");
	assert_string_equal(units_duration(1500 * MS, S).text, "1500ms");
}

/* Zeros at the end are cut in any locale. The expected texts are the digits of the literals. */
static void test_decimals(void **state)
{
	static const struct {
		double v;
		unsigned least, most;
		const char *text;
	} row[] = {
		{ 99.9, 0, 9, "99.9" },
		{ 99, 0, 9, "99" },
		{ 100, 0, 9, "100" },
		{ 99.999999999, 0, 9, "99.999999999" },
		{ 0.1, 0, 9, "0.1" },
		{ 99.9, 6, 12, "99.900000" },
		{ 50, 6, 12, "50.000000" },
		{ 99.9999999, 6, 12, "99.9999999" },
		{ 1234567.25, 0, 6, "1234567.25" },
		{ 1e12, 0, 6, "1000000000000" },
		{ -1, 0, 9, "0" },
		{ NAN, 0, 9, "0" },
		{ INFINITY, 0, 9, "1000000000" },
	};
	char text[UNITS_DECIMALS];

	(void)state;
	for (size_t i = 0; i < LEN(row); i++)
		assert_string_equal(units_decimals(text, row[i].v, row[i].least, row[i].most), row[i].text);
}

int unit_units(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_size),       cmocka_unit_test(test_time),
		cmocka_unit_test(test_amount),     cmocka_unit_test(test_hints),
		cmocka_unit_test(test_num),        cmocka_unit_test(test_print),
		cmocka_unit_test(test_round_trip), cmocka_unit_test(test_decimals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
