/* Are zipf, pareto and normal draws distributed as their formulas say, wherever the range ends, and are their
 * hot places where they belong? The test is chi-square, with a bound of five sigma; draws are seeded, so that
 * it gives the same result each time. Known wrong generators fail the same test. Probabilities are added up
 * here, rank by rank, from the definitions in skew.h. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include "log_exp.h"

#define LOG_EXP_BATCH 64
#include "skew.h"

#define DRAWS       400000u
#define BINS        512u
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

struct row {
	enum skew_kind kind;
	double param;
	uint64_t n;
};

/* clang-format off */
static const struct row rows[] = {
	{ SKEW_ZIPF, 1.2, 1000 }, { SKEW_ZIPF, 1.2, 1000003 }, { SKEW_ZIPF, 0.8, 1000003 }, { SKEW_ZIPF, 0.3, 5000 },
	{ SKEW_ZIPF, 0.01, 70 }, { SKEW_ZIPF, 1, 1000003 }, { SKEW_ZIPF, 1.00001, 5000 }, { SKEW_ZIPF, 0.99999, 5000 },
	{ SKEW_ZIPF, 0.9999, 5000 }, { SKEW_ZIPF, 1.0002, 5000 }, { SKEW_ZIPF, 0.999, 1000003 }, { SKEW_ZIPF, 2, 100000 },
	{ SKEW_ZIPF, 3.5, 1000 }, { SKEW_ZIPF, 20, 1000 }, { SKEW_ZIPF, 1.2, 1 }, { SKEW_ZIPF, 1.2, 2 }, { SKEW_ZIPF, 0.5, 2 },
	{ SKEW_ZIPF, 1.2, 3 }, { SKEW_ZIPF, 1, 3 }, { SKEW_ZIPF, 5, 3 }, { SKEW_ZIPF, 0.5, 7 },
	{ SKEW_PARETO, 0.2, 1000 }, { SKEW_PARETO, 0.2, 1000003 }, { SKEW_PARETO, 0.5, 500 }, { SKEW_PARETO, 0.9, 1000 },
	{ SKEW_PARETO, 0.01, 5000 }, { SKEW_PARETO, 0.2, 1 }, { SKEW_PARETO, 0.2, 2 }, { SKEW_PARETO, 0.3, 3 },
	{ SKEW_NORMAL, 10, 1000 }, { SKEW_NORMAL, 1, 1000003 }, { SKEW_NORMAL, 40, 500 }, { SKEW_NORMAL, 0.01, 1000 },
	{ SKEW_NORMAL, 10, 1 }, { SKEW_NORMAL, 20, 2 }, { SKEW_NORMAL, 30, 3 },
};
/* clang-format on */

/* The share of the draws that places [0, k) get, but for a factor. */
static double pareto_below(double h, double n, double k)
{
	return h > 0.5 ? 1 - pow((n - k) / n, log(1 - h) / log(h)) : pow(k / n, log(1 - h) / log(h));
}

static double weight(const struct row *row, uint64_t rank)
{
	double n = (double)row->n, k = (double)rank, wide = row->param / 100 * n * sqrt(2);

	switch (row->kind) {
	case SKEW_ZIPF:
		return pow(k + 1, -row->param);
	case SKEW_PARETO:
		return pareto_below(row->param, n, k + 1) - pareto_below(row->param, n, k);
	case SKEW_NORMAL:
		return (erf((k + 1 - n / 2) / wide) - erf((k - n / 2) / wide)) / 2;
	}
	return 0;
}

/* Divides the places into bins: each of the first alone, then ever more of them together. */
static unsigned bin_of(const struct row *row, uint64_t rank)
{
	uint64_t first = BINS / 4, at = rank < first ? rank : first;

	if (row->kind == SKEW_NORMAL)
		return (unsigned)(rank * (BINS / 4) / row->n);
	if (rank >= first)
		at += (uint64_t)(16 * log2((double)rank / (double)first));
	return (unsigned)at;
}

/* Returns by how many sigma the chi-square of the counts is above its mean. Bins in which few draws are
 * expected join the next one. */
static double excess(const struct row *row, const uint64_t *seen)
{
	static double expected[BINS];
	double total = 0, chi = 0, want = 0, got = 0, degrees = -1;

	for (unsigned i = 0; i < BINS; i++)
		expected[i] = 0;
	for (uint64_t rank = 0; rank < row->n; rank++) {
		double w = weight(row, rank);

		expected[bin_of(row, rank)] += w;
		total += w;
	}
	for (unsigned i = 0; i < BINS; i++) {
		want += expected[i] / total * DRAWS;
		got += (double)seen[i];
		if (want < 20)
			continue;
		chi += (got - want) * (got - want) / want;
		degrees++;
		want = got = 0;
	}
	chi += want > 1 ? (got - want) * (got - want) / want : 0;
	degrees += want > 1;
	return degrees > 0 ? (chi - degrees) / sqrt(2 * degrees) : chi;
}

static void test_formulas(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct skew_cfg cfg = { .kind = rows[i].kind, .param = rows[i].param };
		uint64_t seen[BINS] = { 0 };
		struct skew s;
		struct skew_batch b = { 0 };
		struct rng r;
		double off;

		rng_init(&r, 11 + i);
		skew_init(&s, &cfg, rows[i].n);
		for (unsigned k = 0; k < DRAWS; k++) {
			uint64_t at = skew_draw(&s, &b, &r);

			assert_true(at < rows[i].n);
			seen[bin_of(&rows[i], at)]++;
		}
		off = excess(&rows[i], seen);
		if (!(off < 5))
			fail_msg("row %zu: chi-square is %g sigma above its mean", i, off);
	}
}

/* The approximation of Gray et al. (SIGMOD 1994), which fio and YCSB use, with the sum cut after `terms`
 * terms: exact for the first two ranks only. */
static uint64_t gray_zipf(double theta, uint64_t n, uint64_t terms, struct rng *r)
{
	static double zeta, of_theta;
	double u = rng_double(r), eta, two = 1 + pow(0.5, theta);

	if (!(of_theta >= theta && of_theta <= theta)) {
		zeta = 0;
		of_theta = theta;
		for (uint64_t k = 1; k <= n && k <= terms; k++)
			zeta += pow((double)k, -theta);
	}
	if (u * zeta < 1)
		return 0;
	if (u * zeta < two)
		return 1;
	eta = (1 - pow(2. / (double)n, 1 - theta)) / (1 - two / zeta);
	return (uint64_t)((double)n * pow(eta * u - eta + 1, 1 / (1 - theta))) % n;
}

/* Inversion without rejection: the integral in place of the sum. */
static uint64_t integral_zipf(double theta, uint64_t n, struct rng *r)
{
	double last = pow((double)n + 0.5, 1 - theta), first = pow(0.5, 1 - theta);
	double x = pow(first + rng_double(r) * (last - first), 1 / (1 - theta));

	return (uint64_t)(x + 0.5) - 1;
}

/* The sum of twelve uniform numbers is nearly normal, but it has no tails. */
static uint64_t nearly_normal(double deviation, uint64_t n, struct rng *r)
{
	double sum = -6, at;

	for (unsigned i = 0; i < 12; i++)
		sum += rng_double(r);
	at = (double)n * (0.5 + deviation / 100 * sum);
	return at < 0 ? 0 : at < (double)n ? (uint64_t)at : n - 1;
}

/* Pareto's own distribution, cut at the end of the range. */
static uint64_t cut_pareto(double h, uint64_t n, struct rng *r)
{
	double x = pow(1 - rng_double(r), -log(h) / log(h / (1 - h))) - 1;

	return x < (double)n ? (uint64_t)x : n - 1;
}

static void test_wrong_generators(void **state)
{
	static const struct row wrong[] = {
		{ SKEW_ZIPF, 1.2, 1000003 },  { SKEW_ZIPF, 0.8, 1000003 }, { SKEW_ZIPF, 1.2, 1000003 },
		{ SKEW_NORMAL, 10, 1000003 }, { SKEW_PARETO, 0.2, 1000 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		const struct row *w = &wrong[i];
		uint64_t seen[BINS] = { 0 };
		struct rng r;

		rng_init(&r, 3);
		for (unsigned k = 0; k < DRAWS; k++) {
			uint64_t at = i < 2    ? gray_zipf(w->param, w->n, 10000, &r)
				      : i == 2 ? integral_zipf(w->param, w->n, &r)
				      : i == 3 ? nearly_normal(w->param, w->n, &r)
					       : cut_pareto(w->param, w->n, &r);

			seen[bin_of(w, at)]++;
		}
		if (!(excess(w, seen) > 5))
			fail_msg("wrong generator %zu passes: %g sigma", i, excess(w, seen));
	}
}

/* A range of 2^40 or 2^62 places has the same hot ranks, and its draws reach the far end. */
static void test_large(void **state)
{
	static const uint64_t sizes[] = { (uint64_t)1 << 40, (uint64_t)1 << 62 };
	static const double thetas[] = { 0.5, 0.99999, 1, 1.2 };

	(void)state;
	for (size_t i = 0; i < COUNT(sizes) * COUNT(thetas); i++) {
		uint64_t n = sizes[i % COUNT(sizes)], upper = 0, most = 0;
		double theta = thetas[i / COUNT(sizes)], e = 1 - theta, ln = log((double)n), share;
		struct skew_cfg cfg = { .kind = SKEW_ZIPF, .param = theta };
		struct skew s;
		struct skew_batch b = { 0 };
		struct rng r;

		rng_init(&r, i);
		skew_init(&s, &cfg, n);
		skew_scatter(&s, &cfg, 5);
		s.scattered = false;
		for (unsigned k = 0; k < DRAWS; k++) {
			uint64_t at = skew_draw(&s, &b, &r);

			most = at > most ? at : most;
			upper += at >= 1000000;
		}
		/* Beyond the first million ranks the sum is the integral; zeta(1.2) is 5.591582441177751. */
		share = theta > 1 ? (pow(1e6, e) - exp(e * ln)) / (theta - 1) / 5.591582441177751
				  : 1 - log(1e6) / ln; /* roughly, for theta near 1 */
		if (theta < 0.9)
			assert_true((double)upper > DRAWS * 0.99 && most > n / 2);
		else if (theta > 1.1)
			assert_true(fabs((double)upper - DRAWS * share) < 5 * sqrt(DRAWS * share));
		else
			assert_true(fabs((double)upper / DRAWS - share) < 0.02);
	}
}

/* Scattered ranks are another order of all places; rank 1 lies at the center, and neighbours of a hot place
 * are not hot. */
static void test_scatter(void **state)
{
	static const uint64_t sizes[] = { 1, 2, 3, 4, 5, 7, 16, 17, 63, 64, 65, 1000, 4097, 100003 };

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		uint64_t n = sizes[i], near = 0, batch[SCATTER_BATCH] = { 0 };
		unsigned char *seen = calloc(1, n);
		struct scatter s;

		assert_non_null(seen);
		scatter_init(&s, n, 77 + i);
		for (uint64_t k = 0; k < n; k++) {
			uint64_t at = scatter_one(&s, k);

			assert_true(at < n);
			assert_int_equal(seen[at]++, 0);
			if (k) {
				uint64_t gap = at - scatter_one(&s, k - 1) + 1;

				near += gap <= 2;
			}
		}
		assert_true(n < 1000 || near < 20); /* 2 on average */
		for (unsigned k = 0; k < SCATTER_BATCH; k++)
			batch[k] = k % n;
		scatter_batch(&s, batch);
		for (unsigned k = 0; k < SCATTER_BATCH; k++)
			assert_int_equal(batch[k], scatter_one(&s, k % n));
		free(seen);
	}
}

static void test_center(void **state)
{
	static const double centers[] = { 0, 0.25, 0.5, 0.999, 1 };

	(void)state;
	for (size_t i = 0; i < COUNT(centers) * 4; i++) {
		double center = centers[i / 4];
		struct skew_cfg cfg = { .kind = i % 2 ? SKEW_ZIPF : SKEW_PARETO,
					.centered = true,
					.center = center,
					.param = i % 2 ? 2 : 0.1 };
		uint64_t want = (uint64_t)(center * 1000), hits[1000] = { 0 }, hottest = 0;
		struct skew s;
		struct skew_batch b = { 0 };
		struct rng r;

		rng_init(&r, i);
		skew_init(&s, &cfg, 1000);
		if (i % 4 < 2)
			skew_scatter(&s, &cfg, i);
		for (unsigned k = 0; k < 20000; k++)
			hits[skew_draw(&s, &b, &r)]++;
		for (uint64_t k = 0; k < 1000; k++)
			hottest = hits[k] > hits[hottest] ? k : hottest;
		assert_int_equal(hottest, want < 999 ? want : 999);
	}
}

/* The draws of one key are hot where those of the same key are. */
static void test_keys(void **state)
{
	struct skew_cfg cfg = { .kind = SKEW_ZIPF, .param = 3 };
	uint64_t first[3][3] = { { 0 } };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct skew s;

		skew_init(&s, &cfg, 100000);
		skew_scatter(&s, &cfg, i / 2);
		for (unsigned k = 0; k < 3; k++)
			first[i][k] = scatter_one(&s.scatter, k);
	}
	assert_memory_equal(first[0], first[1], sizeof(first[0]));
	for (unsigned k = 0; k < 3; k++)
		assert_int_not_equal(first[0][k], first[2][k]);
}

static void test_log_exp(void **state)
{
	double worst_log = 0, worst_exp = 0, x[LOG_EXP_BATCH], y[LOG_EXP_BATCH], from[LOG_EXP_BATCH];
	struct rng r;

	(void)state;
	rng_init(&r, 4);
	for (unsigned i = 0; i < 2000; i++) {
		for (unsigned k = 0; k < LOG_EXP_BATCH; k++) {
			from[k] = y[k] = (rng_double(&r) - 0.5) * (i % 2 ? 1390 : 2);
			x[k] = exp(from[k] / (i % 2 ? 2 : 1));
		}
		for (unsigned k = 0; k < LOG_EXP_BATCH; k++) {
			double at = x[k], one[LOG_EXP_BATCH];

			for (unsigned m = 0; m < LOG_EXP_BATCH; m++)
				one[m] = at;
			if (k % 16 == 0) {
				log_batch(one, LOG_EXP_BATCH);
				worst_log = fmax(worst_log, fabs(one[5] / log(at) - 1));
			}
		}
		exp_batch(y, LOG_EXP_BATCH);
		for (unsigned k = 0; k < LOG_EXP_BATCH; k++)
			worst_exp = fmax(worst_exp, fabs(y[k] / exp(from[k]) - 1));
	}
	assert_true(worst_log < 1e-15 && worst_exp < 1e-15);
	for (unsigned k = 0; k < LOG_EXP_BATCH; k++)
		y[k] = k % 2 ? 1e9 : -1e9;
	exp_batch(y, LOG_EXP_BATCH);
	assert_true(y[0] > 0 && y[0] < 1e-300 && y[1] > 1e300 && isfinite(y[1]));
}

/* A deviation that is lost in rounding leaves the place at the center; the draws end even there. */
static void test_tiny_deviation(void **state)
{
	static const double centers[] = { 0, 0.25, 1 };
	static const uint64_t sizes[] = { 1, 1000, (uint64_t)1 << 62 };

	(void)state;
	for (size_t i = 0; i < COUNT(centers) * COUNT(sizes); i++) {
		uint64_t n = sizes[i / COUNT(centers)];
		double center = centers[i % COUNT(centers)];
		struct skew_cfg cfg = {
			.kind = SKEW_NORMAL, .centered = true, .center = center, .param = 1e-300
		};
		uint64_t want = center < 1 ? (uint64_t)(center * (double)n) : n - 1;
		struct skew s;
		struct skew_batch b = { 0 };
		struct rng r;

		rng_init(&r, i);
		skew_init(&s, &cfg, n);
		for (unsigned k = 0; k < 200; k++)
			assert_int_equal(skew_draw(&s, &b, &r), want);
	}
}

/* The size of the batches changes no draw. */
static void test_few(void **state)
{
	static const struct skew_cfg cfgs[] = {
		{ .kind = SKEW_ZIPF, .param = 1.2 },
		{ .kind = SKEW_ZIPF, .param = 1, .centered = true, .center = 0.3 },
		{ .kind = SKEW_PARETO, .param = 0.2 },
		{ .kind = SKEW_PARETO, .param = 0.8 },
		{ .kind = SKEW_NORMAL, .param = 10 },
		{ .kind = SKEW_NORMAL, .param = 80 },
	};

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(cfgs) / sizeof(*cfgs); i++) {
		struct skew_batch b = { 0 }, few = { 0 };
		struct skew s, t;
		struct rng r, q;

		rng_init(&r, i);
		q = r;
		skew_init(&s, &cfgs[i / 2], 100003);
		if (i % 2)
			skew_scatter(&s, &cfgs[i / 2], 9);
		t = s;
		t.batch = SKEW_BATCH_FEW;
		for (unsigned k = 0; k < 1000; k++)
			assert_int_equal(skew_draw(&s, &b, &r), skew_draw(&t, &few, &q));
		assert_int_equal(few.place[SKEW_BATCH_FEW], 0);
	}
}

int unit_skew(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formulas),       cmocka_unit_test(test_wrong_generators),
		cmocka_unit_test(test_large),          cmocka_unit_test(test_scatter),
		cmocka_unit_test(test_center),         cmocka_unit_test(test_keys),
		cmocka_unit_test(test_log_exp),        cmocka_unit_test(test_few),
		cmocka_unit_test(test_tiny_deviation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
