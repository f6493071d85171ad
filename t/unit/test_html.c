/* Does the HTML report escape all text, print numbers that people read, and meet its size budget? The
   expected texts follow from the HTML standard and from the units; the sizes are those that the manual
   promises. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include "html.h"
#include "html_text.h"

static void text_is_escaped(void **state)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{ "plain", "plain" },
		{ "<script>alert('x')</script>", "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;" },
		{ "a\"b&c", "a&quot;b&amp;c" },
		{ "line\nand\ttab", "line\nand\ttab" },
		{ "bell\a", "bell\xef\xbf\xbd" },
		{ "\xc3\xa4", "\xc3\xa4" },                 /* a letter of two bytes */
		{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" }, /* of four */
		{ "\xff", "\xef\xbf\xbd" },                 /* no UTF-8 at all */
		{ "\xc0\xbc", "\xef\xbf\xbd\xef\xbf\xbd" }, /* '<' in two bytes is not valid */
		{ "\xe0\x80", "\xef\xbf\xbd\xef\xbf\xbd" }, /* cut off */
		{ "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" }, /* a surrogate */
		{ "a\xe2\x80\xae"
		  "b",
		  "a\xef\xbf\xbd"
		  "b" }, /* would reverse the text after it */
		{ "", "" },
		{ NULL, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct strbuf b = { 0 };

		html_text(&b, rows[i].in);
		assert_string_equal(strbuf_str(&b), rows[i].out);
		strbuf_fini(&b);
	}
}

static void numbers_have_three_digits(void **state)
{
	static const struct {
		void (*put)(struct strbuf *, double);
		double v;
		const char *out;
	} rows[] = {
		{ html_count, 0, "0" },
		{ html_count, 3.14159, "3.14" },
		{ html_count, 842, "842" },
		{ html_count, 999.7, "1,000" },
		{ html_count, 8706.4, "8,706" },
		{ html_count, 9999.6, "10.0k" },
		{ html_count, 52345.6, "52.3k" },
		{ html_count, 1200000, "1.20M" },
		{ html_latency, 0, "0 ns" },
		{ html_latency, 850, "850 ns" },
		{ html_latency, 999.6, "1.00 \xc2\xb5s" },
		{ html_latency, 12345, "12.3 \xc2\xb5s" },
		{ html_latency, 1415000, "1.42 ms" },
		{ html_latency, 3.5e9, "3.50 s" },
		{ html_duration, 340, "340 ms" },
		{ html_duration, 8000, "8.00 s" },
		{ html_duration, 600000, "10 min 00 s" },
		{ html_duration, 86400000, "24 h 00 min" },
		{ html_percent, 12.345, "12.3 %" },
		{ html_percent, 0.25, "0.25 %" },
		{ html_percentile, 99.9, "99.9" },
		{ html_percentile, 50, "50" },
		{ html_percentile, 99.9999, "99.9999" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct strbuf b = { 0 };

		rows[i].put(&b, rows[i].v);
		assert_string_equal(strbuf_str(&b), rows[i].out);
		strbuf_fini(&b);
	}
}

static void bandwidth_has_the_units_of_the_job(void **state)
{
	static const struct {
		struct result_units units;
		const char *out, *other;
	} rows[] = {
		{ { 0 }, "1.00 MiB/s", "1.05 MB/s" },
		{ { .kb_base = 1000 }, "1.05 MB/s", "1.00 MiB/s" },
		{ { .bits = true }, "8.00 Mibit/s", "8.39 Mbit/s" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct strbuf b = { 0 };

		html_bytes_rate(&b, 1048576, &rows[i].units);
		assert_string_equal(strbuf_str(&b), rows[i].out);
		strbuf_clear(&b);
		html_bytes_other(&b, 1048576, &rows[i].units);
		assert_string_equal(strbuf_str(&b), rows[i].other);
		strbuf_fini(&b);
	}
}

/* ---- size ---- */

/* A record of one interval with latencies in many buckets, which hardly compress. */
static void add_interval(struct series *s, unsigned group, uint64_t at, uint64_t *random)
{
	static unsigned char rec[IVAL_BYTES(DIR_COUNT, DIR_COUNT)];
	struct ival head = { .first = at, .span = 1 }, v;
	struct ival_out o;

	ival_begin(&o, rec, sizeof(rec), &head);
	for (unsigned dir = 0; dir < 2; dir++) {
		struct ival_dir d = { .ios = 300, .bytes = 300 * 4096 };
		struct ival_lat l = { .n = 300, .sum = 300 * 500000, .min = 100, .max = 1 << 30 };

		ival_put_dir(&o, dir, &d);
		ival_put_lat(&o, LAT_CLAT, &l);
		for (unsigned i = 0; i < 100; i++) {
			*random = *random * 6364136223846793005u + 1442695040888963407u;
			ival_put_bin(&o, 600 + 7 * i + (unsigned)(*random >> 62),
				     1 + (unsigned)(*random >> 58 & 3));
		}
	}
	assert_true(ival_read(&v, rec, ival_end(&o, rec)));
	series_add(s, group, 0, LAT_CLAT, &v);
}

static struct result_job figures(const char *name)
{
	struct result_job j = {
		.name = name, .rw = "randrw", .bs = "4096-4096", .engine = "io_uring", .iodepth = 16
	};

	for (unsigned dir = 0; dir < 2; dir++) {
		j.sum.dir[dir] = (struct summary_dir){ .ios = 180000,
						       .bytes = 180000 * 4096ull,
						       .iops = 300,
						       .bw_bytes = 1228800,
						       .runtime_ns = 600000000000,
						       .runtime_ms = 600000 };
		j.sum.dir[dir].lat[LAT_CLAT] =
			(struct summary_lat){ .n = 180000, .min = 100, .max = 1 << 30 };
	}
	return j;
}

/* Makes a result with a series of so many intervals of 1 s, which doubles when it is full, and returns the
 * size of its page. */
static size_t page_bytes(unsigned jobs, unsigned intervals)
{
	static const struct result_series_label label = { .name = "mixed", .in_report = true };
	struct series s;
	struct strbuf b = { 0 };
	struct result r;
	const struct result *res = &r;
	uint64_t random = 1;
	size_t len;

	result_init(&r, "fiord", "1.0.0", "3.42");
	for (unsigned i = 0; i < jobs; i++) {
		struct result_job j = figures("mixed");

		assert_non_null(result_add_job(&r, &j));
	}
	assert_int_equal(series_init(&s, 1, 1000000000, 16 << 20), 0);
	for (unsigned i = 0; i < intervals; i++)
		add_interval(&s, 0, i, &random);
	result_move_series(&r, &s, &label, 0);
	result_finish(&r);
	assert_int_equal(report_html(&res, NULL, 1, &b), 0);
	assert_non_null(strstr(b.text, "heat map"));
	assert_non_null(strstr(b.text, "id=\"fiord-data\""));
	len = b.len;
	strbuf_fini(&b);
	result_free(&r);
	return len;
}

static void pages_meet_their_budget(void **state)
{
	(void)state;
	assert_in_range(page_bytes(4, 600), 100000, 300000);
	assert_in_range(page_bytes(64, 6000), 300000, 2000000);
}

/* ---- frame ---- */

static void no_result_is_a_page_without_text(void **state)
{
	struct strbuf b = { 0 };

	(void)state;
	assert_int_equal(report_html(NULL, NULL, 0, &b), 0);
	assert_int_equal(b.len, 0);
	strbuf_fini(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_escaped),
		cmocka_unit_test(numbers_have_three_digits),
		cmocka_unit_test(bandwidth_has_the_units_of_the_job),
		cmocka_unit_test(pages_meet_their_budget),
		cmocka_unit_test(no_result_is_a_page_without_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
