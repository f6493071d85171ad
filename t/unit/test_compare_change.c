/* Are changes, and the intervals around them, right? Expected values: scipy 1.10 (stats.t, fft.dct,
   ttest_ind) and, for coverage, simulated series whose truth is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "compare_change.h"
#include "compare_series.h"
#include "rng.h"

static void assert_close(double got, double want, double relative)
{
	if (fabs(got - want) > relative * fabs(want) + 1e-300)
		fail_msg("%.12g is not %.12g", got, want);
}

static void student_agrees_with_scipy(void **state)
{
	static const struct {
		double p, df, t;
	} row[] = {
		{ 0.975, 1, 12.706204736432 },     { 0.975, 2, 4.302652729911 },
		{ 0.975, 2.5, 3.574654842012 },    { 0.995, 5, 4.032142983558 },
		{ 0.95, 10, 1.812461122811 },      { 0.8, 7, 0.896029644314 },
		{ 0.975, 30, 2.042272456301 },     { 0.975, 1000, 1.962339080826 },
		{ 0.9995, 1.3, 153.265892773517 }, { 0.6, 3, 0.276670662305 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
		assert_close(student_quantile(row[i].p, row[i].df), row[i].t, 1e-9);
		assert_close(student_quantile(1 - row[i].p, row[i].df), -row[i].t, 1e-9);
		assert_close(student_below(row[i].t, row[i].df), row[i].p, 1e-9);
	}
	assert_close(student_below(0, 3), 0.5, 1e-12);
	assert_close(student_below(1, 1), 0.75, 1e-12);
	assert_close(student_below(-2.5, 4.5), 0.029952843251100, 1e-9);
	assert_close(student_below(8, 30), 0.999999996867089, 1e-12);
	assert_close(student_quantile(0.975, 1e9), 1.959964, 1e-4);
}

/* scipy.fft.dct(x, type=2, norm='ortho')[1:6] has the same cosine terms. */
static void error_of_a_mean_agrees_with_a_cosine_transform(void **state)
{
	double v[40], df;

	(void)state;
	for (int i = 0; i < 40; i++)
		v[i] = (double)((i * 7919) % 101) + 50;
	assert_close(compare_mean_error(v, 40, &df), 2.862264422703976, 1e-12);
	assert_close(df, 5, 1e-12);
}

/* The means of 2, 4 ... neighbours, in the same sum of cosines by python3's math. */
static void long_series_are_joined(void **state)
{
	static const struct {
		int n;
		double error, df;
	} row[] = { { 4096, 0.209633285759588, 102 },
		    { 4097, 0.236381864887377, 65 },
		    { 10003, 0.20778894680523, 74 } };
	static double v[10003];
	double df;

	(void)state;
	for (int i = 0; i < 10003; i++)
		v[i] = (double)((i * 7919) % 101 + 50 + i / 100 % 7);
	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
		assert_close(compare_mean_error(v, (size_t)row[i].n, &df), row[i].error, 1e-9);
		assert_close(df, row[i].df, 1e-12);
	}
}

static void runs_agree_with_welch(void **state)
{
	static const double va[] = { 1000, 1040, 980, 1010 }, vb[] = { 1100, 1090, 1150 };
	struct compare_side a = { 0 }, b = { 0 };
	struct compare_change c;

	(void)state;
	compare_side_runs(&a, va, 4);
	compare_side_runs(&b, vb, 3);
	compare_sides(&c, &a, &b, 0.95);
	assert_true(c.known && c.interval && c.shown);
	assert_close(c.df, 4.021397884366, 1e-10);
	assert_close(c.change, 0.104995418309, 1e-10);
	assert_close(c.lo, 0.043516367595, 1e-8);
	assert_close(c.hi, 0.170096524023, 1e-8);
	assert_close(c.detectable, 0.079690806522, 1e-8);
}

static void a_single_run_takes_the_deviation_of_the_others(void **state)
{
	static const double va[] = { 1000 }, vb[] = { 1100, 1090, 1150 };
	struct compare_side a = { 0 }, b = { 0 };
	struct compare_change c;

	(void)state;
	compare_side_runs(&a, va, 1);
	compare_side_runs(&b, vb, 3);
	assert_false(a.known);
	compare_side_pool(&a, &b, 3);
	compare_sides(&c, &a, &b, 0.95);
	assert_close(c.lo, -0.034722963879, 1e-8);
	assert_close(c.hi, 0.283392137993, 1e-8);
	assert_false(c.shown);
}

static void no_ratio_without_positive_figures(void **state)
{
	struct compare_side a = { .value = 0 }, b = { .value = 5, .known = true, .df = 3 };
	struct compare_change c;

	(void)state;
	compare_sides(&c, &a, &b, 0.95);
	assert_false(c.known || c.interval || c.shown);
	compare_sides(&c, &b, &a, 0.95);
	assert_false(c.known || c.interval || c.shown);
	a.value = 4; /* its error is unknown */
	compare_sides(&c, &a, &b, 0.95);
	assert_true(c.known);
	assert_false(c.interval);
	assert_close(c.change, 0.25, 1e-12);
}

/* Two runs whose percentiles lie in neighbouring buckets may have the same latency. */
static void rounding_hides_one_bucket(void **state)
{
	struct compare_side a = { .known = true, .df = 10 }, b = a;
	struct compare_change c;

	(void)state;
	for (unsigned i = 64; i < 1800; i++) {
		a.value = (double)hist_mid(i);
		b.value = (double)hist_mid(i + 1);
		a.rounding = compare_bucket_rounding(a.value);
		b.rounding = compare_bucket_rounding(b.value);
		compare_sides(&c, &a, &b, 0.95);
		assert_false(c.lo > 1e-3); /* two buckets touch */
		b.value = (double)hist_mid(i + 3);
		b.rounding = compare_bucket_rounding(b.value);
		compare_sides(&c, &a, &b, 0.95);
		assert_true(c.shown);
	}
}

/* ---- coverage and power on simulated series ---- */

static double normal(struct rng *r)
{
	return sqrt(-2 * log(1 - rng_double(r))) * cos(2 * 3.14159265358979 * rng_double(r));
}

/* A series with mean `mean`: AR(1) with coefficient rho, or with bursts that last 1 / leave intervals. */
struct process {
	const char *name;
	double rho, noise;
	double enter, leave, burst;
	size_t n;
	double most; /* false alarms of a nominal 5 % that are acceptable */
};

static void simulate(const struct process *p, double mean, struct rng *r, double *v)
{
	double x = normal(r) / sqrt(1 - p->rho * p->rho);
	double share = p->enter > 0 ? p->enter / (p->enter + p->leave) : 0;
	bool burst = rng_double(r) < share;

	for (size_t i = 0; i < p->n; i++) {
		x = p->rho * x + normal(r);
		burst = rng_double(r) < (burst ? 1 - p->leave : p->enter);
		v[i] = mean * (1 + p->noise * x + p->burst * ((burst ? 1 : 0) - share));
	}
}

static void fill_side(struct compare_side *s, const double *v, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i];
	*s = (struct compare_side){ .value = sum / (double)n, .known = true };
	s->error = compare_mean_error(v, n, &s->df) / s->value;
}

/* Returns the share of pairs with a shown difference; *detectable: the mean of what could be shown. */
static double shown_share(const struct process *p, double change, unsigned pairs, double *detectable)
{
	static double va[1000], vb[1000];
	struct rng r;
	unsigned shown = 0;

	rng_init(&r, 20261122);
	*detectable = 0;
	for (unsigned i = 0; i < pairs; i++) {
		struct compare_side a, b;
		struct compare_change c;

		simulate(p, 1000, &r, va);
		simulate(p, 1000 * (1 + change), &r, vb);
		fill_side(&a, va, p->n);
		fill_side(&b, vb, p->n);
		compare_sides(&c, &a, &b, 0.95);
		shown += c.shown;
		*detectable += c.detectable / pairs;
	}
	return (double)shown / pairs;
}

static const struct process processes[] = {
	{ "independent, n = 20", 0, 0.1, 0, 0, 0, 20, 0.07 },
	{ "independent, n = 100", 0, 0.1, 0, 0, 0, 100, 0.07 },
	{ "AR(1) 0.5, n = 100", 0.5, 0.1, 0, 0, 0, 100, 0.08 },
	{ "AR(1) 0.5, n = 600", 0.5, 0.1, 0, 0, 0, 600, 0.065 },
	{ "AR(1) 0.8, n = 600", 0.8, 0.1, 0, 0, 0, 600, 0.08 },
	{ "AR(1) -0.5, n = 100", -0.5, 0.1, 0, 0, 0, 100, 0.07 },
	{ "bursts of 5, n = 300", 0, 0.05, 0.02, 0.2, -0.7, 300, 0.09 },
	{ "bursts of 5, n = 1000", 0, 0.05, 0.02, 0.2, -0.7, 1000, 0.075 },
};

static void false_alarms_are_near_nominal(void **state)
{
	double detectable;

	(void)state;
	for (unsigned i = 0; i < sizeof(processes) / sizeof(*processes); i++) {
		double share = shown_share(&processes[i], 0, 1000, &detectable);

		print_message("%s: %.1f%% false alarms, detectable %.1f%%\n", processes[i].name, share * 100,
			      detectable * 100);
		if (share > processes[i].most || share < 0.01)
			fail_msg("%s: %.3f of the pairs are false alarms", processes[i].name, share);
	}
}

/* A planted change of the size that is called detectable is shown in about 80 % of the pairs. */
static void detectable_changes_are_shown(void **state)
{
	double detectable, share;

	(void)state;
	for (unsigned i = 1; i < sizeof(processes) / sizeof(*processes); i++) {
		shown_share(&processes[i], 0, 100, &detectable);
		share = shown_share(&processes[i], detectable, 500, &detectable);
		print_message("%s: %.1f%% of detectable changes shown\n", processes[i].name, share * 100);
		if (share < 0.7 || share > 0.95)
			fail_msg("%s: %.3f of the changes are shown", processes[i].name, share);
	}
}

/* Without autocorrelation in the estimate, AR(1) series would alarm far too often: the check above can
   fail. */
static void independent_errors_would_alarm(void **state)
{
	const struct process *p = &processes[4];
	static double v[1000];
	double df, sum = 0, sq = 0, mean;
	struct rng r;

	(void)state;
	rng_init(&r, 1);
	simulate(p, 1000, &r, v);
	for (size_t i = 0; i < p->n; i++)
		sum += v[i];
	mean = sum / (double)p->n;
	for (size_t i = 0; i < p->n; i++)
		sq += (v[i] - mean) * (v[i] - mean);
	/* The true ratio of the errors is sqrt((1 + rho) / (1 - rho)), which is 3. */
	assert_true(compare_mean_error(v, p->n, &df) > 2 * sqrt(sq) / (double)p->n);
}

/* ---- percentiles and means of latencies, from a series ---- */

#define LEN       100000000u
#define INTERVALS 100
#define PER       200

static void put_bins(struct ival_out *o, const struct hist *h)
{
	for (unsigned i = h->lo; i <= h->hi; i++)
		if (h->n[i])
			ival_put_bin(o, i, h->n[i]);
}

/* Adds an interval with these latencies to a series. */
static void add_interval(struct series *s, uint64_t at, const struct hist *h, const struct moments *m)
{
	static unsigned char bytes[IVAL_BYTES(4, 1)];
	const struct ival head = { .first = at, .intervals = 1 };
	const struct ival_dir d = { .ios = m->n, .bytes = m->n * 4096 };
	const struct ival_lat l = { .n = m->n, .sum = m->sum, .min = m->min, .max = m->max };
	struct ival_out o;
	struct ival v;
	size_t n;

	ival_begin(&o, bytes, sizeof(bytes), &head);
	ival_put_dir(&o, DIR_READ, &d);
	ival_put_lat(&o, LAT_CLAT, &l);
	put_bins(&o, h);
	n = ival_end(&o, bytes);
	assert_true(n && ival_read(&v, bytes, n));
	series_add(s, 0, 0, LAT_CLAT, &v);
}

/* Log-normal latencies around 100 us, whose level wanders from interval to interval. */
static void fill_latencies(struct series *s, double factor, struct rng *r)
{
	static struct hist h;
	double level = normal(r) * 0.1;

	assert_int_equal(series_init(s, 1, LEN, 64 << 20), 0);
	for (unsigned t = 0; t < INTERVALS; t++) {
		struct moments m = { .min = UINT64_MAX };

		hist_init(&h);
		level = 0.5 * level + normal(r) * 0.1 * sqrt(0.75);
		for (unsigned i = 0; i < PER; i++) {
			uint64_t ns = (uint64_t)(1e5 * factor * exp(level + 0.3 * normal(r)));

			hist_add(&h, ns);
			moments_add(&m, ns);
		}
		add_interval(s, t, &h, &m);
	}
}

struct latency_sides {
	struct compare_series c;
	struct compare_side mean, p[3];
};
static const double shares[3] = { 0.5, 0.99, 0.999 };

static void make_sides(struct latency_sides *l, const struct series *s)
{
	static const unsigned group[1] = { 0 };

	assert_int_equal(compare_series_init(&l->c, s, group, 1, DIR_READ, LAT_CLAT), 0);
	assert_int_equal(l->c.n, INTERVALS);
	l->mean = (struct compare_side){ .value = l->c.all_lat_sum / l->c.all_lats };
	compare_series_mean(&l->c, &l->mean);
	for (unsigned i = 0; i < 3; i++) {
		uint64_t ns =
			hist_percentile(l->c.hist, (uint64_t)l->c.all_lats, shares[i] * 100, 0, UINT64_MAX);

		l->p[i] = (struct compare_side){ .value = (double)ns,
						 .rounding = compare_bucket_rounding((double)ns) };
		compare_series_percentile(&l->c, shares[i], &l->p[i]);
		assert_true(l->p[i].known);
	}
}

/* Counts the pairs that show a difference in the mean, p50, p99 and p99.9. */
static void count_shown(double factor, unsigned pairs, unsigned shown[4])
{
	struct rng r;

	rng_init(&r, 7);
	memset(shown, 0, 4 * sizeof(*shown));
	for (unsigned i = 0; i < pairs; i++) {
		struct series sa, sb;
		struct latency_sides a, b;
		struct compare_change c;

		fill_latencies(&sa, 1, &r);
		fill_latencies(&sb, factor, &r);
		make_sides(&a, &sa);
		make_sides(&b, &sb);
		compare_sides(&c, &a.mean, &b.mean, 0.95);
		shown[0] += c.shown;
		for (unsigned k = 0; k < 3; k++) {
			compare_sides(&c, &a.p[k], &b.p[k], 0.95);
			shown[1 + k] += c.shown;
		}
		compare_series_fini(&a.c);
		compare_series_fini(&b.c);
		series_fini(&sa);
		series_fini(&sb);
	}
}

static void latencies_are_compared(void **state)
{
	unsigned same[4], more[4];

	(void)state;
	count_shown(1, 100, same);
	count_shown(1.15, 50, more);
	for (unsigned i = 0; i < 4; i++) {
		static const char *const name[] = { "mean", "p50", "p99", "p99.9" };

		print_message("%s: %u of 100 false alarms, +15%% shown in %u of 50\n", name[i], same[i],
			      more[i]);
		assert_true(same[i] <= 12); /* 5 % are 5; 13 or more have a probability of 0.0015 */
		assert_true(i == 3 || more[i] >= 40);
	}
}

/* A percentile that too few I/Os support has no upper limit. */
static void few_ios_have_no_upper_limit(void **state)
{
	struct series s;
	struct latency_sides l;
	struct compare_side side = { .value = 1e5 };
	struct compare_change c;
	double lo, hi;
	struct rng r;

	(void)state;
	rng_init(&r, 3);
	fill_latencies(&s, 1, &r);
	make_sides(&l, &s);
	compare_series_percentile(&l.c, 0.9999, &side); /* two I/Os of 20000 are above it */
	compare_sides(&c, &side, &side, 0.95);
	assert_true(c.interval && !c.shown);
	assert_true(isinf(c.hi) && isinf(c.detectable));
	assert_true(compare_limits(&side, 0.95, &lo, &hi));
	assert_true(isinf(hi) && lo < side.value);
	compare_series_fini(&l.c);
	series_fini(&s);
}

static void short_series_have_no_interval(void **state)
{
	struct series s;
	struct latency_sides l;
	struct compare_side side = { .value = 5 };
	struct rng r;

	(void)state;
	rng_init(&r, 3);
	fill_latencies(&s, 1, &r);
	make_sides(&l, &s);
	l.c.n = COMPARE_LEAST - 1;
	compare_series_rate(&l.c, false, &side);
	assert_false(side.known);
	compare_series_mean(&l.c, &side);
	assert_false(side.known);
	compare_series_percentile(&l.c, 0.5, &side);
	assert_false(side.known);
	l.c.n = COMPARE_LEAST;
	compare_series_rate(&l.c, false, &side);
	assert_true(side.known);
	compare_series_fini(&l.c);
	series_fini(&s);
}

/* A job that begins within an interval of a series whose interval has doubled, with these records. */
static void partial_intervals_are_left_out(void **state)
{
	static const struct {
		unsigned first, records, doublings;
		size_t want; /* whole intervals */
	} row[] = {
		{ 0, 40, 0, 40 }, { 3, 40, 0, 40 }, { 0, 40, 2, 10 },
		{ 4, 40, 2, 10 }, { 5, 40, 2, 9 }, /* 5 to 44: the cells 2 to 10 are whole */
		{ 7, 37, 2, 9 },                   /* 7 to 43 */
		{ 6, 40, 2, 9 },                   /* 6 to 45 */
	};
	static const unsigned group[1] = { 0 };
	static struct hist h;
	struct moments m = { .min = UINT64_MAX };

	(void)state;
	hist_init(&h);
	for (unsigned i = 0; i < 10; i++) {
		hist_add(&h, 1000);
		moments_add(&m, 1000);
	}
	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct compare_series c;
		struct series s;

		assert_int_equal(series_init(&s, 1, LEN, 1 << 20), 0);
		for (unsigned t = 0; t < row[i].records; t++)
			add_interval(&s, row[i].first + t, &h, &m);
		series_coarsen(&s, (uint64_t)LEN << row[i].doublings);
		assert_int_equal(compare_series_init(&c, &s, group, 1, DIR_READ, LAT_CLAT), 0);
		assert_int_equal(c.n, row[i].want);
		for (size_t t = 0; t < c.n; t++)
			assert_close(c.ios[t], 10 << row[i].doublings, 0);
		compare_series_fini(&c);
		series_fini(&s);
	}
}

/* Cohen, Statistical Power Analysis for the Behavioral Sciences (1988), table 2.4.1: the size of each sample
   of a two-sided t test at 5 % with a power of 80 %, by the difference in deviations; for 1.5 and 2
   power.t.test of R. */
static void runs_needed_agree_with_cohen(void **state)
{
	static const struct {
		double effect;
		unsigned runs;
	} row[] = { { 0.2, 394 }, { 0.5, 64 }, { 0.8, 26 }, { 1, 17 }, { 1.5, 9 }, { 2, 6 } };

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		unsigned runs = compare_runs_for(0.05, log1p(0.05) / row[i].effect, 0, 0.95);

		assert_true(runs + 1 >= row[i].runs && runs <= row[i].runs + 1);
	}
	assert_int_equal(compare_runs_for(0.05, 0, 0, 0.95), 2);
	assert_int_equal(compare_runs_for(0.05, 0.01, 0.05, 0.95), 0); /* rounding alone hides it */
	assert_int_equal(compare_runs_for(0.05, 10, 0, 0.95), 0);
}

int unit_compare_change(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(student_agrees_with_scipy),
		cmocka_unit_test(error_of_a_mean_agrees_with_a_cosine_transform),
		cmocka_unit_test(long_series_are_joined),
		cmocka_unit_test(runs_agree_with_welch),
		cmocka_unit_test(runs_needed_agree_with_cohen),
		cmocka_unit_test(a_single_run_takes_the_deviation_of_the_others),
		cmocka_unit_test(no_ratio_without_positive_figures),
		cmocka_unit_test(rounding_hides_one_bucket),
		cmocka_unit_test(false_alarms_are_near_nominal),
		cmocka_unit_test(detectable_changes_are_shown),
		cmocka_unit_test(independent_errors_would_alarm),
		cmocka_unit_test(latencies_are_compared),
		cmocka_unit_test(few_ios_have_no_upper_limit),
		cmocka_unit_test(short_series_have_no_interval),
		cmocka_unit_test(partial_intervals_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
