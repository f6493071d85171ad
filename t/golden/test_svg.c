/* Are the charts still the same? Scenes made by formulas, compared with t/golden/svg/NAME.svg. UPDATE=1
   rewrites them. With SVG_DIR=DIR the charts are written there and nothing is compared: svg_geometry.py knows
   the formulas, and checks the pictures against them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../unit/chart_series.h"
#include "strbuf.h"
#include "svg.h"

#define MEMORY    (64u << 20)
#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))
#define HOSTILE   "<script>alert(\"1\")</script> & 'x' \x01\xff"

/* ---- the scenes: svg_geometry.py has the same formulas ---- */

/* 50 intervals: reads grow, and stop for 5 intervals; writes are even. */
static void add_course(struct series *s)
{
	for (uint64_t i = 0; i < 50; i++) {
		bool stall = i >= 20 && i < 25;

		chart_series_add(s, i, 0, DIR_READ, stall ? 0 : 1000 + 20 * i, 100000);
		chart_series_add(s, i, 0, DIR_READ, stall ? 0 : 5, 9000000);
		chart_series_add(s, i, 0, DIR_WRITE, 500, 250000 + 1000 * i);
	}
}

static struct svg_axes axes_of(const struct series *s, const char *title, enum svg_unit unit)
{
	struct svg_axes a = { .title = title, .desc = "A sentence.", .unit = unit };

	chart_span(s, 0, &a.start_ms, &a.end_ms);
	a.zero_ms = a.start_ms;
	return a;
}

static void put_rates(struct strbuf *b, const struct series *s, enum svg_unit unit)
{
	enum chart_quantity what = unit == SVG_IOPS ? CHART_IOPS : CHART_BYTES_PER_S;
	struct svg_axes a = axes_of(s, "Rate " HOSTILE, unit);
	struct chart_line read, write;
	struct svg_line line[] = { { "read", SVG_READ, &read }, { HOSTILE, SVG_WRITE, &write } };

	assert_int_equal(chart_rate(&read, s, 0, DIR_READ, what), 0);
	assert_int_equal(chart_rate(&write, s, 0, DIR_WRITE, what), 0);
	svg_lines(b, &a, line, 2);
	chart_line_fini(&read);
	chart_line_fini(&write);
}

static void iops(struct strbuf *b)
{
	struct series s;

	series_init(&s, 1, CHART_LEN_NS, MEMORY);
	add_course(&s);
	put_rates(b, &s, SVG_IOPS);
	series_fini(&s);
}

static void bandwidth(struct strbuf *b)
{
	struct series s;

	series_init(&s, 1, CHART_LEN_NS, MEMORY);
	add_course(&s);
	put_rates(b, &s, SVG_BYTES_1024);
	series_fini(&s);
}

static void latency(struct strbuf *b)
{
	static const char *const name[] = { "p50", "p99", "p99.9", "max" };
	struct svg_line line[4];
	struct chart_lat c;
	struct svg_axes a;
	struct series s;

	series_init(&s, 1, CHART_LEN_NS, MEMORY);
	add_course(&s);
	a = axes_of(&s, "Latency over time", SVG_NS);
	a.log = true;
	assert_int_equal(chart_lat(&c, &s, 0, DIR_READ, LAT_CLAT), 0);
	for (unsigned k = 0; k < 4; k++)
		line[k] = (struct svg_line){ name[k], SVG_P50 + k, &c.line[k] };
	svg_lines(b, &a, line, 4);
	chart_lat_fini(&c);
	series_fini(&s);
}

static void heat(struct strbuf *b)
{
	struct chart_heat h;
	struct svg_axes a;
	struct series s;

	series_init(&s, 1, CHART_LEN_NS, MEMORY);
	add_course(&s);
	a = axes_of(&s, "Heat map", SVG_NS);
	assert_int_equal(chart_heat(&h, &s, 0, DIR_READ, LAT_CLAT, CHART_HEAT_COLS, CHART_HEAT_ROWS), 0);
	svg_heat(b, &a, &h);
	chart_heat_fini(&h);
	series_fini(&s);
}

/* 4 of 1204 I/Os took 620 ns, the others 1 to 30 ms. */
static void inline_heat(struct strbuf *b)
{
	struct chart_heat h;
	struct svg_axes a;
	struct series s;

	series_init(&s, 1, CHART_LEN_NS, MEMORY);
	for (uint64_t i = 0; i < 40; i++)
		for (uint64_t k = 0; k < 30; k++)
			chart_series_add(&s, i, 0, DIR_READ, 1, 1000000 * (k + 1));
	for (uint64_t i = 0; i < 40; i += 10)
		chart_series_add(&s, i, 0, DIR_READ, 1, 620);
	a = axes_of(&s, "Heat map", SVG_NS);
	assert_int_equal(chart_heat(&h, &s, 0, DIR_READ, LAT_CLAT, CHART_HEAT_COLS, CHART_HEAT_ROWS), 0);
	svg_heat(b, &a, &h);
	chart_heat_fini(&h);
	series_fini(&s);
}

/* The same latencies as a distribution. */
static void inline_histogram(struct strbuf *b)
{
	static const struct svg_set set[] = { { "read", SVG_READ } };
	struct svg_axes a = { .title = "Latency distribution", .unit = SVG_PERCENT };
	uint64_t ns[31] = { 620 }, count[31] = { 4 };
	struct chart_bins bins = { ns, count, 31, 0, 0 };
	struct chart_histogram h;

	for (uint64_t k = 0; k < 30; k++) {
		ns[k + 1] = hist_mid(hist_index(1000000 * (k + 1)));
		count[k + 1] = 40;
	}
	chart_histogram(&h, &bins, 1, CHART_BARS);
	svg_histogram(b, &a, &h, set);
}

static void depth(struct strbuf *b)
{
	struct chart_line l;
	struct svg_line line = { "in flight", SVG_OTHER, &l };
	struct svg_axes a;
	struct series s;

	series_init(&s, 1, CHART_LEN_NS, MEMORY);
	add_course(&s);
	a = axes_of(&s, "Depth", SVG_NUMBER);
	assert_int_equal(chart_depth(&l, &s, &s, 0, DIR_WRITE, 0), 0);
	svg_lines(b, &a, &line, 1);
	chart_line_fini(&l);
	series_fini(&s);
}

/* A point in the middle of an axis from `from` to `until`. */
static void lone_point(struct strbuf *b, double from, double until, double v, enum svg_unit unit)
{
	double t = (from + until) / 2;
	struct chart_line l = { .t_ms = &t, .v = &v, .n = 1, .min = v, .max = v };
	struct svg_line line = { "read", SVG_READ, &l };
	struct svg_axes a = {
		.title = "One point", .unit = unit, .start_ms = from, .end_ms = until, .zero_ms = from
	};

	svg_lines(b, &a, &line, 1);
}

static void one_interval(struct strbuf *b)
{
	lone_point(b, 60000, 60003, 2000, SVG_IOPS);
}

static void minutes(struct strbuf *b)
{
	lone_point(b, 3000, 603000, 12.5, SVG_NUMBER);
}

static void day(struct strbuf *b)
{
	lone_point(b, 0, 86400000, 2.5e6, SVG_IOPS);
}

static void week(struct strbuf *b)
{
	lone_point(b, 0, 7 * 86400000.0, 1.3e9, SVG_BYTES_1000);
}

/* 10 I/Os of each latency from 1 to 100 us, and 1 of 20 ns and of 10 minutes each. */
static struct chart_bins ladder(uint64_t *ns, uint64_t *count)
{
	for (size_t i = 0; i < 100; i++) {
		ns[i] = (i + 1) * 1000;
		count[i] = 10;
	}
	return (struct chart_bins){ ns, count, 100, 1000, 100000 };
}

static struct chart_bins far_apart(void)
{
	static const uint64_t ns[] = { 20, 600000000000 }, count[] = { 1, 3 };

	return (struct chart_bins){ ns, count, 2, 20, 600000000000 };
}

static void percentiles(struct strbuf *b)
{
	uint64_t ns[100], count[100];
	struct chart_bins bins[] = { ladder(ns, count), far_apart() };
	struct svg_axes a = { .title = "Latency by percentile", .unit = SVG_NS };
	struct chart_curve c[2];
	struct svg_curve curve[] = { { "read", SVG_READ, &c[0] }, { "write", SVG_WRITE, &c[1] } };

	chart_percentiles(&c[0], &bins[0]);
	chart_percentiles(&c[1], &bins[1]);
	svg_percentiles(b, &a, curve, 1);
}

static void histogram(struct strbuf *b)
{
	static const struct svg_set set[] = { { "read", SVG_READ }, { "write", SVG_WRITE } };
	uint64_t ns[100], count[100];
	struct chart_bins bins[] = { ladder(ns, count), far_apart() };
	struct svg_axes a = { .title = "Latency distribution", .unit = SVG_PERCENT };
	struct chart_histogram h;

	chart_histogram(&h, bins, 2, CHART_BARS);
	svg_histogram(b, &a, &h, set);
}

static void bars(struct strbuf *b)
{
	static const char *const part[] = { "user", "system" };
	static const struct svg_bar bar[] = { { "job1", { 12.5, 40 } },
					      { HOSTILE "öööööööööööööööööööööööö", { 0, 130.04 } } };
	struct svg_axes a = { .title = "CPU", .unit = SVG_PERCENT };

	svg_bars(b, &a, bar, 2, part, 2);
}

/* Where the time goes: the shares are 10, 20, 60 and 10 % of 200 us, and 50 us on the device alone. */
static void parts(struct strbuf *b)
{
	static const char *const part[] = { "submission", "scheduler", "device", "completion" };
	static const struct svg_bar bar[] = { { "read", { 20000, 40000, 120000, 20000 } },
					      { "write", { 0, 0, 50000, 0 } } };
	struct svg_axes a = { .title = "Parts", .unit = SVG_NS };

	svg_bars(b, &a, bar, 2, part, 4);
}

/* A server with 8 places, each of which takes 1 ms, at depths 1 to 32, and another that takes 1.05 ms. */
static void load(struct strbuf *b)
{
	static const char *const depth[] = { "1", "2", "4", "8", "16", "32" };
	struct svg_axes a = { .title = "Mean latency against load", .unit = SVG_NS, .log = true };
	struct svg_load_point v[2][6];
	struct svg_load_curve curve[] = { { "1 ms", SVG_READ, v[0], 6, 3 },
					  { "1.05 ms", SVG_WRITE, v[1], 6, 6 } };

	for (unsigned c = 0; c < 2; c++)
		for (unsigned i = 0; i < 6; i++) {
			double busy = i < 3 ? 1 << i : 8, ns = c ? 1.05e6 : 1e6;

			v[c][i] = (struct svg_load_point){ .x = busy * 1e9 / ns,
							   .y = ns * (1 << i) / busy,
							   .name = HOSTILE,
							   .label = depth[i] };
		}
	svg_load(b, &a, curve, 2);
}

/* A search: the server with 8 places at the depths that it ran; 2 ms is the limit, so depth 16 answers. */
static void search(struct strbuf *b)
{
	static const char *const depth[] = { "1", "8", "12", "16", "17", "32" };
	struct svg_axes a = { .title = "read.lat.mean by iodepth",
			      .unit = SVG_NS,
			      .log = true,
			      .x_name = "iodepth",
			      .x_values = depth,
			      .nx_values = 6,
			      .limit = 2e6,
			      .limit_name = "limit <= 2.00 ms",
			      .answer_name = "answer: iodepth=16" };
	struct svg_load_point v[6];
	struct svg_load_curve curve = { "read.lat.mean", SVG_READ, v, 6, 6 };

	for (unsigned i = 0; i < 6; i++)
		v[i] = (struct svg_load_point){
			.x = i, .y = 1e6 * fmax(1, atof(depth[i]) / 8), .name = HOSTILE, .answer = i == 3
		};
	svg_load(b, &a, &curve, 1);
}

/* Nights: a figure that has another level from the fourth one on, with its noise, on a linear axis of times.
 */
static void levels(struct strbuf *b)
{
	static const char *const night[] = { "1", "2", "3", "4", "5", "6" };
	static const double ns[] = { 19e3, 21e3, 20e3, 31e3, 29e3, 30e3 };
	static const struct svg_level level[] = { { 0, 2, 20e3, 19e3, 21e3 },
						  { 3, 5, 30e3, 28.5e3, 31.5e3 } };
	struct svg_axes a = { .title = "read.p99",
			      .unit = SVG_NS,
			      .x_name = "document",
			      .x_values = night,
			      .nx_values = 6,
			      .level = level,
			      .nlevels = 2,
			      .level_name = "median, noise" };
	struct svg_load_point v[6];
	struct svg_load_curve curve = { "document", SVG_READ, v, 6, 6 };

	for (unsigned i = 0; i < 6; i++)
		v[i] = (struct svg_load_point){ .x = i, .y = ns[i], .name = HOSTILE };
	svg_load(b, &a, &curve, 1);
}

static void style(struct strbuf *b)
{
	strbuf_puts(b, "<style>");
	svg_style(b);
	strbuf_puts(b, "</style>\n");
}

static const struct scene {
	const char *name;
	void (*put)(struct strbuf *b);
} scenes[] = {
	{ "iops", iops },
	{ "bandwidth", bandwidth },
	{ "latency", latency },
	{ "heat", heat },
	{ "depth", depth },
	{ "one-interval", one_interval },
	{ "minutes", minutes },
	{ "day", day },
	{ "week", week },
	{ "percentiles", percentiles },
	{ "histogram", histogram },
	{ "bars", bars },
	{ "parts", parts },
	{ "load", load },
	{ "search", search },
	{ "levels", levels },
	{ "style", style },
	{ "inline-heat", inline_heat },
	{ "inline-histogram", inline_histogram },
};

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void compare(const char *path, const char *text)
{
	FILE *f = fopen(path, "r");
	char *want = calloc(1, 1 << 20);

	if (!f)
		fail_msg("%s: %s", path, strerror(errno));
	assert_true(fread(want, 1, (1 << 20) - 1, f) > 0);
	fclose(f);
	assert_string_equal(text, want);
	free(want);
}

static void test_scenes(void **state)
{
	const char *to = getenv("SVG_DIR"), *golden = getenv("GOLDEN_DIR");

	(void)state;
	for (size_t i = 0; i < LENGTH(scenes); i++) {
		struct strbuf b = { 0 };
		char path[512];

		scenes[i].put(&b);
		assert_false(b.failed);
		snprintf(path, sizeof(path), "%s%s/%s.svg", to ? to : golden, to ? "" : "/svg",
			 scenes[i].name);
		if (to || getenv("UPDATE"))
			write_file(path, strbuf_str(&b));
		else
			compare(path, strbuf_str(&b));
		strbuf_fini(&b);
	}
}

/* No data, no chart. */
static void test_nothing(void **state)
{
	struct svg_axes a = { .title = "Nothing", .end_ms = 1000 };
	struct chart_line l = { 0 };
	struct svg_line line = { "read", SVG_READ, &l };
	struct chart_curve c = { 0 };
	struct svg_curve curve = { "read", SVG_READ, &c };
	struct chart_histogram h = { 0 };
	struct chart_heat heat = { 0 };
	struct strbuf b = { 0 };

	(void)state;
	svg_lines(&b, &a, &line, 1);
	svg_percentiles(&b, &a, &curve, 1);
	svg_histogram(&b, &a, &h, NULL);
	svg_heat(&b, &a, &heat);
	svg_bars(&b, &a, NULL, 0, NULL, 2);
	assert_string_equal(strbuf_str(&b), "");
	strbuf_fini(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scenes),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
