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
#include "readable.h"
#include "read.h"
#include "strbuf.h"

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
		{ "a\xd8\x9c"
		  "b",
		  "a\xef\xbf\xbd"
		  "b" },                                /* U+061C, likewise */
		{ "\xf3\xa0\x81\x81", "\xef\xbf\xbd" }, /* a tag, which no page shows */
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
		struct short_text (*figure)(double);
		double v;
		const char *out;
	} rows[] = {
		{ readable_count, 0, "0" },
		{ readable_count, 3.14159, "3.14" },
		{ readable_count, 842, "842" },
		{ readable_count, 999.7, "1,000" },
		{ readable_count, 8706.4, "8,706" },
		{ readable_count, 9999.6, "10.0k" },
		{ readable_count, 52345.6, "52.3k" },
		{ readable_count, 1200000, "1.20M" },
		{ readable_latency, 0, "0 ns" },
		{ readable_latency, 850, "850 ns" },
		{ readable_latency, 999.6, "1.00 \xc2\xb5s" },
		{ readable_latency, 12345, "12.3 \xc2\xb5s" },
		{ readable_latency, 1415000, "1.42 ms" },
		{ readable_latency, 3.5e9, "3.50 s" },
		{ readable_duration, 340, "340 ms" },
		{ readable_duration, 8000, "8.00 s" },
		{ readable_duration, 600000, "10 min 00 s" },
		{ readable_duration, 86400000, "24 h 00 min" },
		{ readable_percent, 12.345, "12.3 %" },
		{ readable_percent, 0.25, "0.25 %" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_string_equal(rows[i].figure(rows[i].v).text, rows[i].out);
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
		assert_string_equal(readable_bytes_rate(1048576, &rows[i].units).text, rows[i].out);
		assert_string_equal(readable_bytes_other(1048576, &rows[i].units).text, rows[i].other);
	}
}

/* ---- size ---- */

/* A record of one interval with latencies in many buckets, which hardly compress. */
static void add_interval(struct series *s, unsigned group, uint64_t at, uint64_t *random, uint64_t *ios)
{
	static unsigned char rec[IVAL_BYTES(DIR_COUNT, DIR_COUNT)];
	struct ival head = { .first = at, .intervals = 1 }, v;
	struct ival_out o;

	ival_begin(&o, rec, sizeof(rec), &head);
	for (unsigned dir = 0; dir < 2; dir++) {
		struct ival_dir d = { 0 };
		struct ival_lat l = { .min = 100, .max = 1 << 30 };
		unsigned bucket[100], count[100];

		for (unsigned i = 0; i < 100; i++) {
			*random = *random * 6364136223846793005u + 1442695040888963407u;
			bucket[i] = 600 + 7 * i + (unsigned)(*random >> 62);
			count[i] = 1 + (unsigned)(*random >> 58 & 3);
			l.n += count[i];
		}
		l.sum = l.n * 500000;
		d.ios = l.n;
		d.bytes = l.n * 4096;
		ival_put_dir(&o, dir, &d);
		ival_put_lat(&o, LAT_CLAT, &l);
		for (unsigned i = 0; i < 100; i++)
			ival_put_bin(&o, bucket[i], count[i]);
		*ios += d.ios;
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

/* Writes the page of a result of so many jobs in so many groups, each with a series of intervals of 1 s,
   which doubles when it is full. Returns its I/Os. */
static uint64_t make_page(unsigned jobs, unsigned groups, unsigned intervals, struct strbuf *page)
{
	struct result_series_label label[64] = { 0 };
	struct series s;
	struct result r;
	const struct result *res = &r;
	uint64_t random = 1, ios = 0;

	result_init(&r, "fiord", "1.0.0", "3.42");
	for (unsigned i = 0; i < jobs; i++) {
		struct result_job j = figures("mixed");

		j.group = i % groups;
		assert_non_null(result_add_job(&r, &j));
	}
	assert_int_equal(series_init(&s, groups, 1000000000, 16 << 20), 0);
	for (unsigned g = 0; g < groups; g++) {
		label[g] = (struct result_series_label){ .name = "mixed", .group = g, .in_report = true };
		for (unsigned i = 0; i < intervals; i++)
			add_interval(&s, g, i, &random, &ios);
	}
	result_move_series(&r, &s, label, 0);
	result_finish(&r);
	assert_int_equal(report_html(&res, NULL, 1, page), 0);
	assert_non_null(strstr(page->text, "heat map"));
	assert_non_null(strstr(page->text, "id=\"fiord-data\""));
	result_free(&r);
	return ios;
}

/* Adds the I/Os, the latencies and the bins of a group. */
static void add_group(const struct series *s, unsigned group, uint64_t *ios, uint64_t *lats, uint64_t *binned)
{
	for (size_t i = 0; i < s->groups[group].cells.n; i++) {
		struct ival v;

		series_get(s, group, i, &v);
		for (unsigned dir = 0; dir < DIR_DATA; dir++) {
			struct ival_bins bins = ival_bins(&v.dir[dir].lat[LAT_CLAT]);
			uint64_t count;
			unsigned bucket;

			*ios += v.dir[dir].ios;
			*lats += v.dir[dir].lat[LAT_CLAT].n;
			while (ival_bin(&bins, &bucket, &count))
				*binned += count;
		}
	}
}

/* Reads the page again. It must have these I/Os, and in each group at least so many intervals. */
static void check_data(const struct strbuf *page, unsigned groups, unsigned intervals, uint64_t want,
		       bool bins)
{
	uint64_t ios = 0, lats = 0, binned = 0;
	struct result_set set = { 0 };
	struct diag d = { 0 };
	const struct series *s;

	assert_int_equal(result_read(&set, "page", page->text, page->len, &d), 0);
	s = &set.res[0]->series.data;
	assert_int_equal(s->ngroups, groups);
	for (unsigned g = 0; g < groups; g++) {
		assert_true(s->groups[g].cells.n >= intervals);

		add_group(s, g, &ios, &lats, &binned);
	}
	assert_int_equal(ios, want);
	assert_int_equal(lats, want);
	assert_int_equal(binned, bins ? want : 0);
	result_set_free(&set);
}

static void pages_meet_their_budget(void **state)
{
	static const struct {
		unsigned jobs, groups, intervals, least, most, data;
		bool bins;
	} rows[] = {
		{ 4, 1, 600, 100000, 300000, 16, true },
		{ 4, 4, 600, 100000, 300000, 16, true },
		{ 64, 1, 6000, 300000, 2000000, 128, true },
		{ 64, 64, 300, 300000, 2000000, 64, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct strbuf page = { 0 };

		uint64_t ios = make_page(rows[i].jobs, rows[i].groups, rows[i].intervals, &page);

		assert_in_range(page.len, rows[i].least, rows[i].most);
		assert_int_equal(strstr(page.text, "without histograms") == NULL, rows[i].bins);
		check_data(&page, rows[i].groups, rows[i].data, ios, rows[i].bins);
		strbuf_fini(&page);
	}
}

/* The run's own JSON may have no bins; its page has them all the same. */
static void pages_hold_the_histograms(void **state)
{
	static const uint64_t ns[] = { 20096, 45312 }, count[] = { 100000, 80000 };
	struct result_job job = figures("mixed");
	struct result_set set = { 0 };
	struct strbuf page = { 0 };
	struct diag d = { 0 };
	const struct result *res;
	const struct result_bins *bins;
	struct result r;

	(void)state;
	job.bins[DIR_READ][LAT_CLAT] = (struct result_bins){ ns, count, 2 };
	job.sum.dir[DIR_READ].lat[LAT_CLAT].percentiles = true;
	result_init(&r, "fiord", "1.0.0", "3.42");
	r.bins_off = true;
	assert_non_null(result_add_job(&r, &job));
	result_finish(&r);
	res = &r;
	assert_int_equal(report_html(&res, NULL, 1, &page), 0);
	result_free(&r);
	assert_int_equal(result_read(&set, "page", page.text, page.len, &d), 0);
	bins = &set.res[0]->jobs[0]->bins[DIR_READ][LAT_CLAT];
	assert_int_equal(bins->n, 2);
	assert_memory_equal(bins->ns, ns, sizeof(ns));
	assert_memory_equal(bins->count, count, sizeof(count));
	result_set_free(&set);
	strbuf_fini(&page);
}

/* ---- words ---- */

/* Makes the page of the jobs. */
static void page_of(const struct result_job *job, size_t n, struct strbuf *page)
{
	struct result r;
	const struct result *res = &r;

	result_init(&r, "fiord", "1.0.0", "3.42");
	for (size_t i = 0; i < n; i++)
		assert_non_null(result_add_job(&r, &job[i]));
	result_finish(&r);
	assert_int_equal(report_html(&res, NULL, 1, page), 0);
	result_free(&r);
}

static void pages_name_what_the_data_has(void **state)
{
	static const char none[] = "No I/O completed";
	struct result_job cached[] = { figures("cached"), figures("cached"), figures("other") };
	struct result_job bytes = { .name = "log" }, syncs[] = { { .name = "a" }, { .name = "b" } };
	struct strbuf page = { 0 };

	(void)state;
	cached[2].group = 1;
	page_of(cached, 3, &page);
	assert_non_null(strstr(page.text, "Group 0: cached (2 jobs)<"));
	assert_null(strstr(page.text, "cached, cached"));
	strbuf_clear(&page);
	bytes.sum.dir[DIR_READ] = (struct summary_dir){ .bytes = 4096, .bw_bytes = 4096 };
	page_of(&bytes, 1, &page);
	assert_null(strstr(page.text, none));
	assert_non_null(strstr(page.text, "<dt>IOPS</dt><dd><span class=\"v\">?</span>"));
	strbuf_clear(&page);
	for (unsigned i = 0; i < 2; i++) {
		syncs[i].sum.sync_ios = 2;
		syncs[i].sum.sync = (struct summary_lat){ .n = 2, .min = 5, .max = 7, .mean = 6 };
	}
	page_of(syncs, 2, &page);
	assert_null(strstr(page.text, none));
	assert_non_null(strstr(page.text, "4 syncs took 6 ns on average"));
	strbuf_fini(&page);
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

int unit_html(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_escaped),
		cmocka_unit_test(numbers_have_three_digits),
		cmocka_unit_test(bandwidth_has_the_units_of_the_job),
		cmocka_unit_test(pages_meet_their_budget),
		cmocka_unit_test(pages_hold_the_histograms),
		cmocka_unit_test(pages_name_what_the_data_has),
		cmocka_unit_test(no_result_is_a_page_without_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
