/* Charts: do their numbers follow from the I/Os? The expected values come from formulas and from direct
   simulations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "chart.h"
#include "chart_series.h"

#define MS                    1000000ull
#define MEMORY                (64u << 20)
#define LENGTH(a)             (sizeof(a) / sizeof((a)[0]))
#define near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static void begin(struct series *s)
{
	assert_int_equal(series_init(s, 1, CHART_LEN_NS, MEMORY), 0);
}

static void iops(struct chart_line *l, const struct series *s)
{
	assert_int_equal(chart_rate(l, s, 0, DIR_READ, CHART_IOPS), 0);
}

/* ---- rates ---- */

static void test_rate(void **state)
{
	static const double t[] = { 50, 150, 250, 330 }, v[] = { 100, 0, 300, 200 };
	struct chart_line l;
	struct series s;
	double from, until;

	(void)state;
	begin(&s);
	chart_series_add(&s, 0, 0, DIR_READ, 10, 1000);
	chart_series_add(&s, 2, 0, DIR_READ, 30, 1000);
	chart_series_add(&s, 3, 60, DIR_READ, 12, 1000);
	iops(&l, &s);
	assert_int_equal(l.n, 4);
	for (unsigned i = 0; i < 4; i++) {
		near(l.t_ms[i], t[i], 1e-9);
		near(l.v[i], v[i], 1e-9);
	}
	near(l.min, 0, 0);
	near(l.max, 300, 1e-9);
	chart_line_fini(&l);
	assert_int_equal(chart_rate(&l, &s, 0, CHART_ALL, CHART_BYTES_PER_S), 0);
	near(l.v[0], 100 * 4096, 1e-6);
	chart_line_fini(&l);
	assert_true(chart_span(&s, 0, &from, &until));
	near(from, 0, 0);
	near(until, 360, 1e-9);
	series_fini(&s);
}

/* A last interval of 20 ms counts with the one before: 13 I/Os in 120 ms. */
static void test_short_end(void **state)
{
	struct chart_line l;
	struct series s;

	(void)state;
	begin(&s);
	chart_series_add(&s, 0, 0, DIR_READ, 10, 1000);
	chart_series_add(&s, 1, 0, DIR_READ, 10, 1000);
	chart_series_add(&s, 2, 20, DIR_READ, 3, 1000);
	iops(&l, &s);
	assert_int_equal(l.n, 2);
	near(l.t_ms[1], 160, 1e-9);
	near(l.v[1], 13 / 0.12, 1e-9);
	chart_line_fini(&l);
	series_fini(&s);
}

/* A job that begins in the middle of an interval, since the intervals became longer: 400 ms, of which the job
   ran 100 ms. */
static void test_late_begin(void **state)
{
	struct chart_line l;
	struct series s;
	double from, until;

	(void)state;
	begin(&s);
	for (uint64_t cell = 7; cell < 12; cell++)
		chart_series_add(&s, cell, 0, DIR_READ, 10, 1000);
	while (s.doublings < 2)
		series_limit(&s, s.used_bytes - 1);
	assert_true(chart_span(&s, 0, &from, &until));
	near(from, 700, 1e-9);
	near(until, 1200, 1e-9);
	iops(&l, &s);
	assert_int_equal(l.n, 2);
	near(l.t_ms[0], 750, 1e-9);
	near(l.v[0], 100, 1e-9);
	near(l.v[1], 100, 1e-9);
	chart_line_fini(&l);
	series_fini(&s);
}

/* A run of 3 ms has one interval; a direction or a group without I/O has none. */
static void test_tiny_runs(void **state)
{
	struct chart_steady steady;
	struct chart_stall stall;
	struct chart_line l;
	struct chart_lat lat;
	struct chart_heat heat;
	struct series s;
	double from, until;

	(void)state;
	begin(&s);
	assert_int_equal(chart_span(&s, 0, &from, &until), 0);
	iops(&l, &s);
	assert_int_equal(l.n, 0);
	chart_line_fini(&l);
	assert_int_equal(chart_depth(&l, &s, &s, 0, CHART_ALL, 0), 0);
	assert_int_equal(l.n, 0);
	chart_line_fini(&l);
	assert_int_equal(chart_lat(&lat, &s, 0, DIR_READ, LAT_CLAT), 0);
	assert_int_equal(lat.line[CHART_MAX].n, 0);
	chart_lat_fini(&lat);
	assert_int_equal(chart_heat(&heat, &s, 0, DIR_READ, LAT_CLAT, CHART_HEAT_COLS, CHART_HEAT_ROWS), 0);
	assert_int_equal(heat.cols, 0);
	chart_heat_fini(&heat);
	chart_steady(&steady, &s, 0, CHART_STEADY_IOPS);
	assert_int_equal(steady.verdict, CHART_TOO_SHORT);
	chart_stall(&stall, &s, 0);
	assert_int_equal(stall.stalls, 0);

	chart_series_add(&s, 0, 3, DIR_READ, 6, 500);
	iops(&l, &s);
	assert_int_equal(l.n, 1);
	near(l.t_ms[0], 1.5, 1e-9);
	near(l.v[0], 2000, 1e-9);
	chart_line_fini(&l);
	assert_int_equal(chart_lat(&lat, &s, 0, DIR_READ, LAT_CLAT), 0);
	near(lat.step_ms, 3, 1e-9);
	chart_lat_fini(&lat);
	assert_int_equal(chart_rate(&l, &s, 0, DIR_WRITE, CHART_IOPS), 0);
	assert_int_equal(l.n, 0);
	chart_line_fini(&l);
	assert_int_equal(chart_heat(&heat, &s, 0, DIR_READ, LAT_CLAT, CHART_HEAT_COLS, CHART_HEAT_ROWS), 0);
	assert_int_equal(heat.cols, 1);
	assert_int_equal(heat.rows, 1);
	assert_int_equal(heat.count[0], 6);
	chart_heat_fini(&heat);
	series_fini(&s);

	begin(&s);
	chart_series_add(&s, 0, 0, DIR_READ, 10, 1000);
	chart_series_add(&s, 1, 40, DIR_READ, 4, 1000);
	assert_int_equal(chart_span(&s, 0, &from, &until), 1);
	near(until, 140, 1e-9);
	series_fini(&s);
}

/* ---- down-sampling ---- */

static uint64_t ios_at(uint64_t i)
{
	return i == 12345 ? 100000 : i == 33333 ? 0 : 1000 + i * 7919 % 997;
}

static bool has_value(const struct chart_line *l, double v)
{
	for (size_t i = 0; i < l->n; i++)
		if (fabs(l->v[i] - v) < 1e-6)
			return true;
	return false;
}

/* Each of 500 columns keeps its minimum and its maximum, in the order of time. */
static void test_thinning(void **state)
{
	const size_t n = 40000, columns = CHART_POINTS / 2;
	struct chart_line l;
	struct series s;

	(void)state;
	begin(&s);
	for (uint64_t i = 0; i < n; i++)
		chart_series_add(&s, i, 0, DIR_READ, ios_at(i), 1000);
	assert_int_equal(s.doublings, 0);
	iops(&l, &s);
	assert_true(l.n <= CHART_POINTS);
	for (size_t i = 1; i < l.n; i++)
		assert_true(l.t_ms[i] > l.t_ms[i - 1]);
	for (size_t c = 0; c < columns; c++) {
		uint64_t lo = UINT64_MAX, hi = 0;

		for (size_t i = c * n / columns; i < (c + 1) * n / columns; i++) {
			lo = ios_at(i) < lo ? ios_at(i) : lo;
			hi = ios_at(i) > hi ? ios_at(i) : hi;
		}
		assert_true(has_value(&l, (double)lo * 10));
		assert_true(has_value(&l, (double)hi * 10));
	}
	near(l.max, 1e6, 1e-6);
	near(l.min, 0, 0);
	chart_line_fini(&l);
	series_fini(&s);
}

/* ---- latency over time ---- */

/* 100 intervals with 1000 I/Os of 100 ns and 5 of 9 ms; interval 40 is empty. */
static void test_lat(void **state)
{
	struct chart_lat c;
	struct series s;

	(void)state;
	begin(&s);
	for (uint64_t i = 0; i < 100; i++) {
		chart_series_add(&s, i, 0, DIR_WRITE, i == 40 ? 0 : 1000, 100);
		chart_series_add(&s, i, 0, DIR_WRITE, i == 40 ? 0 : 5, 9 * MS);
	}
	assert_int_equal(chart_lat(&c, &s, 0, DIR_WRITE, LAT_CLAT), 0);
	near(c.step_ms, 100, 1e-9);
	for (unsigned k = 0; k < CHART_LAT_LINES; k++) {
		assert_int_equal(c.line[k].n, 100);
		assert_true(isnan(c.line[k].v[40]));
		assert_false(isnan(c.line[k].v[39]));
		near(c.line[k].t_ms[39], 3950, 1e-9);
	}
	near(c.line[CHART_P50].v[7], 100, 0);
	near(c.line[CHART_P99].v[7], 100, 0);
	near(c.line[CHART_P999].v[7], 9e6, 9e6 / 64);
	near(c.line[CHART_MAX].v[7], 9e6, 0);
	near(c.line[CHART_MEAN].v[7], (1000 * 100 + 5 * 9e6) / 1005, 1e-6);
	chart_lat_fini(&c);
	assert_int_equal(chart_lat(&c, &s, 0, DIR_WRITE, LAT_RESP), 0);
	assert_int_equal(c.line[CHART_MAX].n, 0);
	chart_lat_fini(&c);
	series_fini(&s);
}

/* 10 I/Os in each of 300 intervals: a point joins 5 intervals, so that 60 points stay. With 50 I/Os each they
   can show p50, but neither p99 nor p99.9. */
static void test_lat_of_few(void **state)
{
	struct chart_lat c;
	struct series s;

	(void)state;
	begin(&s);
	for (uint64_t i = 0; i < 300; i++)
		chart_series_add(&s, i, 0, DIR_READ, 10, i);
	assert_int_equal(chart_lat(&c, &s, 0, DIR_READ, LAT_CLAT), 0);
	near(c.step_ms, 500, 1e-9);
	assert_int_equal(c.line[CHART_P50].n, 60);
	assert_int_equal(c.line[CHART_P99].n, 0);
	assert_int_equal(c.line[CHART_P999].n, 0);
	near(c.line[CHART_P50].v[3], 17, 0);
	near(c.line[CHART_MAX].v[3], 19, 0);
	chart_lat_fini(&c);
	series_fini(&s);
}

/* A percentile is drawn if half of the points can show it; the others are gaps. */
static void test_lat_of_some(void **state)
{
	(void)state;
	for (unsigned busy = 29; busy <= 30; busy++) {
		struct chart_lat c;
		struct series s;

		begin(&s);
		for (unsigned i = 0; i < 60; i++)
			chart_series_add(&s, i, 0, DIR_READ, i < busy ? 100 : 99, 100);
		assert_int_equal(chart_lat(&c, &s, 0, DIR_READ, LAT_CLAT), 0);
		assert_int_equal(c.line[CHART_P50].n, 60);
		assert_int_equal(c.line[CHART_P99].n, busy == 30 ? 60 : 0);
		assert_int_equal(c.line[CHART_P999].n, 0);
		if (busy == 30) {
			assert_false(isnan(c.line[CHART_P99].v[29]));
			assert_true(isnan(c.line[CHART_P99].v[30]));
		}
		chart_lat_fini(&c);
		series_fini(&s);
	}
}

/* ---- percentiles ---- */

/* The numbers 1 to n, each once, for n up to 120: buckets below 128 are exact. */
static struct chart_bins ladder(uint64_t *ns, uint64_t *count, size_t n, uint64_t times)
{
	for (size_t i = 0; i < n; i++) {
		ns[i] = i + 1;
		count[i] = times;
	}
	return (struct chart_bins){ ns, count, n, 1, n };
}

/* Nearest rank: the percentile p of 1..n is the smallest number that p % of them do not exceed. */
static void test_nines(void **state)
{
	static const struct {
		size_t n;
		uint64_t times;
		unsigned rows;
		double last;
	} cases[] = { { 1, 1, 0, 0 },       { 1, 2, 1, 50 },        { 9, 1, 1, 50 },
		      { 10, 1, 2, 90 },     { 20, 1, 3, 95 },       { 100, 1, 4, 99 },
		      { 100, 10, 6, 99.9 }, { 100, 100, 8, 99.99 }, { 100, 99, 7, 99.95 } };
	uint64_t ns[128], count[128];

	(void)state;
	for (size_t k = 0; k < LENGTH(cases); k++) {
		struct chart_bins b = ladder(ns, count, cases[k].n, cases[k].times);
		double total = (double)(cases[k].n * cases[k].times);
		struct chart_nines c;

		chart_nines(&c, &b);
		assert_int_equal(c.n, cases[k].rows);
		for (unsigned i = 0; i < c.n; i++) {
			double rank = ceil(total * c.v[i].percent / 100 - 1e-6);

			assert_int_equal(c.v[i].ns, (uint64_t)ceil(rank / (double)cases[k].times - 1e-9));
			assert_int_equal(c.v[i].above, (uint64_t)(total * (1 - c.v[i].percent / 100) + 1e-6));
			assert_true(c.v[i].above > 0);
		}
		if (c.n)
			near(c.v[c.n - 1].percent, cases[k].last, 1e-9);
	}
}

static void test_curve(void **state)
{
	uint64_t ns[128], count[128];
	struct chart_bins b = ladder(ns, count, 100, 10);
	struct chart_curve c;

	(void)state;
	chart_percentiles(&c, &b);
	assert_int_equal(c.n, 3 * 20 + 1);
	for (unsigned i = 0; i + 1 < c.n; i++) {
		double rank = ceil(1000 * (1 - pow(10, -(double)i / 20)) - 1e-6);

		near(c.v[i].nines, i / 20.0, 1e-12);
		assert_int_equal(c.v[i].ns, rank < 1 ? 1 : (uint64_t)ceil(rank / 10));
	}
	near(c.v[c.n - 1].nines, 3, 1e-12);
	assert_int_equal(c.v[c.n - 1].ns, 100);
	b.n = 0;
	chart_percentiles(&c, &b);
	assert_int_equal(c.n, 0);
}

/* A bin's middle is clamped to the exact extremes, and the largest count there is does no harm. */
static void test_extreme_bins(void **state)
{
	const uint64_t ns[] = { 20, 600000000000 }, count[] = { UINT64_MAX / 2, UINT64_MAX / 2 };
	struct chart_bins b = { ns, count, 2, 19, 599999999999 };
	struct chart_curve c;
	struct chart_nines t;

	(void)state;
	chart_percentiles(&c, &b);
	assert_true(c.n > 19 * 20 && c.n <= CHART_CURVE);
	assert_int_equal(c.v[0].ns, 20);
	assert_int_equal(c.v[c.n - 1].ns, 599999999999);
	chart_nines(&t, &b);
	assert_int_equal(t.v[0].ns, 20);
	assert_int_equal(t.v[1].ns, 599999999999);
	assert_true(t.n <= CHART_NINES);
}

/* ---- distributions ---- */

static void check_bounds(const double *bound, unsigned n, double lo, double hi)
{
	assert_true(n > 0);
	assert_true(bound[0] <= lo && bound[n] > hi);
	for (unsigned i = 0; i < n; i++) {
		assert_true(bound[i + 1] > bound[i]);
		/* Away from buckets of 1 ns, all rows have nearly the same height. */
		if (bound[i] > 1000 && n > 2)
			near(log(bound[i + 1] / bound[i]), log(bound[n] / bound[n - 1]), 0.045);
	}
}

static void test_histogram(void **state)
{
	static const uint64_t ends[][2] = { { 0, 0 },           { 9, 1700 },  { 20, 600000000000 },
					    { 100000, 130000 }, { 127, 128 }, { 0, UINT64_MAX } };

	(void)state;
	for (size_t k = 0; k < LENGTH(ends); k++) {
		uint64_t ns[2] = { hist_mid(hist_index(ends[k][0])), hist_mid(hist_index(ends[k][1])) };
		const uint64_t count[2] = { 3, 1 };
		struct chart_bins b[2] = { { ns, count, 2, 0, 0 }, { ns, count, 0, 0, 0 } };
		struct chart_histogram h;

		chart_histogram(&h, b, 2, CHART_BARS);
		assert_true(h.n <= CHART_BARS);
		check_bounds(h.bound_ns, h.n, ns[0] ? (double)ns[0] : 0.5, (double)ns[1]);
		assert_int_equal(h.total[0], 4);
		assert_int_equal(h.total[1], 0);
		assert_int_equal(h.count[0][0] + h.count[0][h.n - 1], h.n == 1 ? 8 : 4);
		near(h.max, h.n == 1 ? 1 : 0.75, 1e-12);
	}
}

/* Fewer than 1 % of a set's I/Os below an empty decade share a bar, whatever is in the other set. */
static void test_lowest_bar(void **state)
{
	static const struct {
		uint64_t few, count, other;
		bool shares;
	} cases[] = {
		{ 620, 9, 0, true },     /* 9 of 1000 */
		{ 620, 10, 0, false },   /* 1 %: not few */
		{ 620, 9, 1, false },    /* all of the other set's I/Os */
		{ 300000, 9, 0, false }, /* no empty decade */
		{ 0, 1, 0, true },       /* 0 ns */
	};

	(void)state;
	for (size_t k = 0; k < LENGTH(cases); k++) {
		uint64_t ns[] = { hist_mid(hist_index(cases[k].few)), hist_mid(hist_index(2900000)),
				  hist_mid(hist_index(20000000)) };
		const uint64_t count[] = { cases[k].count, 990 - cases[k].count, 10 };
		struct chart_bins b[] = { { ns, count, 3, 0, 0 }, { ns, &cases[k].other, 1, 0, 0 } };
		struct chart_histogram h;

		chart_histogram(&h, b, 2, CHART_BARS);
		assert_int_equal(h.count[0][0], cases[k].count);
		assert_int_equal(h.total[0], 1000);
		assert_int_equal(h.low_ns < h.bound_ns[0], cases[k].shares);
		if (!cases[k].shares)
			continue;
		assert_true(h.low_ns <= (cases[k].few ? (double)ns[0] : 0.5));
		assert_true(h.bound_ns[0] > 290000 && h.bound_ns[1] <= 2900000 && h.n > 10);
		near(h.bound_ns[1] / h.bound_ns[0], h.bound_ns[2] / h.bound_ns[1], 1e-9);
	}
}

/* Every I/O stands in the column of its time and in the row of its latency. */
static void test_heat(void **state)
{
	static const uint64_t ns[] = { 20, 150, 7000, 90000, 2 * MS, 33 * MS, 600000 * MS };
	const uint64_t cells = 1000;
	uint64_t total = 0;
	struct chart_heat h;
	struct series s;

	(void)state;
	begin(&s);
	for (uint64_t i = 0; i < cells; i++)
		for (size_t k = 0; k < LENGTH(ns); k++)
			chart_series_add(&s, i, 0, DIR_READ, i % (k + 2), ns[k]);
	assert_int_equal(chart_heat(&h, &s, 0, DIR_READ, LAT_CLAT, CHART_HEAT_COLS, CHART_HEAT_ROWS), 0);
	assert_int_equal(h.cols, 112); /* of 9 intervals */
	near(h.col_ms, 900, 1e-9);
	near(h.end_ms, 100000, 1e-6);
	assert_true(h.rows <= CHART_HEAT_ROWS);
	check_bounds(h.bound_ns, h.rows, 20, 6e11);
	for (unsigned col = 0; col < h.cols; col++) {
		for (unsigned row = 0; row < h.rows; row++) {
			uint64_t want = 0;

			for (size_t k = 0; k < LENGTH(ns); k++)
				if ((double)ns[k] >= h.bound_ns[row] && (double)ns[k] < h.bound_ns[row + 1])
					for (uint64_t i = col * 9; i < col * 9 + 9 && i < cells; i++)
						want += i % (k + 2);
			assert_int_equal(h.count[col * h.rows + row], want);
			total += want;
		}
	}
	for (uint64_t i = 0; i < cells; i++)
		for (size_t k = 0; k < LENGTH(ns); k++)
			total -= i % (k + 2);
	assert_int_equal(total, 0);
	chart_heat_fini(&h);
	series_fini(&s);
}

/* Returns the shade of a cell in the only row. */
static unsigned shade_of(const struct chart_heat *h, unsigned col)
{
	unsigned char level[4];

	chart_heat_levels(h, level);
	return level[col];
}

static void test_shades(void **state)
{
	uint64_t count[4] = { 0, 1, 255, 256 };
	struct chart_heat h = { .cols = 4, .rows = 1, .count = count, .max = 256 };

	(void)state;
	assert_int_equal(shade_of(&h, 0), 0);
	assert_int_equal(shade_of(&h, 1), 1);
	assert_int_equal(shade_of(&h, 2), CHART_LEVELS);
	assert_int_equal(shade_of(&h, 3), CHART_LEVELS);
	for (unsigned level = 1; level <= CHART_LEVELS; level++) {
		assert_int_equal(chart_heat_level_count(&h, level), 1u << (level - 1));
		count[0] = 1u << (level - 1);
		assert_int_equal(shade_of(&h, 0), level);
	}
	/* All cells are equal. */
	h.max = count[0] = 1;
	assert_int_equal(shade_of(&h, 0), CHART_LEVELS);
}

/* ---- depth ---- */

#define STEPS 2000

/* Adds the I/Os of a cell to sum[] by stepping through their completions. */
static void simulate(double *sum, double cell, double ios, double ns)
{
	for (unsigned k = 0; k < STEPS; k++) {
		double end = (cell + (k + 0.5) / STEPS) * CHART_LEN_NS, start = end - ns;

		if (start < 0) {
			sum[0] += -start * ios / STEPS;
			start = 0;
		}
		for (unsigned c = (unsigned)(start / CHART_LEN_NS); c <= cell; c++) {
			double from = fmax(start, c * (double)CHART_LEN_NS);
			double until = fmin(end, (c + 1) * (double)CHART_LEN_NS);

			sum[c] += fmax(until - from, 0) * ios / STEPS;
		}
	}
}

static void test_depth(void **state)
{
	static const struct {
		uint64_t cell, ios, ns;
	} io[] = { { 0, 50, 3 * MS },   { 1, 50, 100 * MS },   { 2, 40, 130 * MS },
		   { 3, 40, 199 * MS }, { 4, 10, 200 * MS },   { 5, 10, 201 * MS },
		   { 9, 8, 450 * MS },  { 19, 32, 1000 * MS }, { 29, 1, 99000 * MS } };
	double sum[30] = { 0 }, total = 0, all = 0;
	struct chart_line l;
	struct series s;

	(void)state;
	begin(&s);
	for (size_t k = 0; k < LENGTH(io); k++) {
		chart_series_add(&s, io[k].cell, 0, k & 1, io[k].ios, io[k].ns);
		simulate(sum, (double)io[k].cell, (double)io[k].ios, (double)io[k].ns);
		total += (double)io[k].ios * (double)io[k].ns;
	}
	assert_int_equal(chart_depth(&l, &s, &s, 0, CHART_ALL, 0), 0);
	assert_int_equal(l.n, 30);
	for (size_t i = 0; i < 30; i++) {
		near(l.v[i], sum[i] / CHART_LEN_NS, 0.002 * (1 + sum[i] / CHART_LEN_NS));
		all += l.v[i] * CHART_LEN_NS;
	}
	near(all / total, 1, 1e-9);
	/* 32 I/Os in flight while nothing completed. */
	near(l.v[15], 32 + 1, 0.01);
	chart_line_fini(&l);
	series_fini(&s);
}

/* Eight I/Os that complete at the very end of an interval are no ten I/Os in flight before. */
static void test_depth_is_limited(void **state)
{
	double mean[2] = { 0 };
	struct chart_line l;
	struct series s;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		begin(&s);
		for (unsigned cell = 0; cell < 6; cell++)
			chart_series_add(&s, cell, 0, DIR_READ, 8,
					 cell == 3 ? CHART_LEN_NS * 2 : CHART_LEN_NS * 4 / 5);
		assert_int_equal(chart_depth(&l, &s, &s, 0, CHART_ALL, i ? 8 : 0), 0);
		assert_int_equal(l.n, 6);
		for (size_t j = 0; j < 6; j++)
			mean[i] += l.v[j];
		assert_true(i ? l.max <= 8 * (1 + 1e-9) : l.max > 9);
		chart_line_fini(&l);
		series_fini(&s);
	}
	near(mean[1], mean[0], 1e-9);
}

/* ---- verdicts ---- */

static enum chart_verdict verdict_of(const double round[CHART_ROUNDS], unsigned cells, struct chart_steady *c,
				     enum chart_steady_of what)
{
	struct series s;

	begin(&s);
	for (unsigned i = 0; i < cells; i++) {
		double v = round[i * CHART_ROUNDS / cells];

		if (what == CHART_STEADY_IOPS)
			chart_series_add(&s, i, 0, DIR_READ, (uint64_t)v, 1000);
		else
			chart_series_add(&s, i, 0, DIR_READ, 50, (uint64_t)v);
	}
	chart_steady(c, &s, 0, what);
	series_fini(&s);
	return c->verdict;
}

/* Samples stand in the middle of their time; a step has its value from its beginning to its end. */
static void test_samples_and_steps(void **state)
{
	static const uint64_t sample[] = { 10, 30, 20 };
	static const struct chart_step step[] = { { 2000000000, 8 }, { 500000000, 4 } };
	static const double middle_ms[] = { 50, 150, 250 }, at_ms[] = { 0, 2000, 2000, 2500 };
	struct chart_line l;

	(void)state;
	assert_int_equal(chart_samples(&l, sample, 3, 100), 0);
	assert_int_equal(l.n, 3);
	for (unsigned i = 0; i < 3; i++)
		assert_true(l.t_ms[i] == middle_ms[i] && l.v[i] == (double)sample[i]);
	assert_true(l.min == 10 && l.max == 30);
	chart_line_fini(&l);
	assert_int_equal(chart_steps(&l, step, 2), 0);
	assert_int_equal(l.n, 4);
	for (unsigned i = 0; i < 4; i++)
		assert_true(l.t_ms[i] == at_ms[i] && l.v[i] == step[i / 2].v);
	assert_true(l.min == 4 && l.max == 8);
	chart_line_fini(&l);
}

static void test_steady(void **state)
{
	static const struct {
		double round[CHART_ROUNDS];
		unsigned cells;
		enum chart_verdict verdict;
		double range, slope;
	} cases[] = {
		{ { 100, 100, 100, 100, 100 }, 100, CHART_STEADY, 0, 0 },
		{ { 100, 100, 100, 100, 100 }, 99, CHART_TOO_SHORT, 0, 0 },
		{ { 4, 4, 4, 4, 4 }, 100, CHART_TOO_FEW, 0, 0 },
		{ { 100, 118, 100, 118, 109 }, 100, CHART_STEADY, 18 / 1.09, 7.2 / 1.09 },
		{ { 100, 125, 100, 125, 100 }, 100, CHART_NOT_STEADY, 25 / 1.1, 0 },
		{ { 100, 103, 106, 109, 112 }, 100, CHART_NOT_STEADY, 12 / 1.06, 12 / 1.06 },
		{ { 112, 109, 106, 103, 100 }, 600, CHART_NOT_STEADY, 12 / 1.06, -12 / 1.06 },
		{ { 100, 102, 104, 106, 108 }, 600, CHART_STEADY, 8 / 1.04, 8 / 1.04 },
		{ { 100, 100, 0, 100, 100 }, 100, CHART_NOT_STEADY, 125, 0 },
	};

	(void)state;
	for (size_t k = 0; k < LENGTH(cases); k++) {
		for (unsigned what = CHART_STEADY_IOPS; what <= CHART_STEADY_LAT; what++) {
			struct chart_steady c;

			if (what == CHART_STEADY_LAT && cases[k].verdict == CHART_TOO_FEW)
				continue;
			assert_int_equal(verdict_of(cases[k].round, cases[k].cells, &c, what),
					 cases[k].verdict);
			near(c.range, cases[k].range, 1e-6);
			near(c.slope, cases[k].slope, 1e-6);
			if (c.verdict >= CHART_STEADY && what == CHART_STEADY_IOPS)
				near(c.round[1], cases[k].round[1] * 10, 1e-6);
		}
	}
}

static void test_stall(void **state)
{
	struct chart_stall c;
	struct series s;

	(void)state;
	begin(&s);
	for (unsigned i = 0; i < 100; i++)
		chart_series_add(&s, i, 0, DIR_READ, i == 12 || (i >= 30 && i < 47) ? 0 : 100, 1000);
	chart_stall(&c, &s, 0);
	assert_int_equal(c.stalls, 2);
	near(c.start_ms, 3000, 1e-9);
	near(c.ms, 1700, 1e-9);
	near(c.stalled_ms, 1800, 1e-9);
	series_fini(&s);

	/* An I/O every 500 ms: the rate alone makes empty intervals. */
	begin(&s);
	for (unsigned i = 0; i < 100; i++)
		chart_series_add(&s, i, 0, DIR_READ, i % 5 == 0, 1000);
	chart_stall(&c, &s, 0);
	assert_int_equal(c.stalls, 0);
	series_fini(&s);
}

int unit_chart(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rate),
		cmocka_unit_test(test_short_end),
		cmocka_unit_test(test_late_begin),
		cmocka_unit_test(test_tiny_runs),
		cmocka_unit_test(test_thinning),
		cmocka_unit_test(test_lat),
		cmocka_unit_test(test_lat_of_few),
		cmocka_unit_test(test_lat_of_some),
		cmocka_unit_test(test_nines),
		cmocka_unit_test(test_curve),
		cmocka_unit_test(test_extreme_bins),
		cmocka_unit_test(test_histogram),
		cmocka_unit_test(test_lowest_bar),
		cmocka_unit_test(test_heat),
		cmocka_unit_test(test_shades),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_depth_is_limited),
		cmocka_unit_test(test_samples_and_steps),
		cmocka_unit_test(test_steady),
		cmocka_unit_test(test_stall),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
