#include "compare_change.h"

#include <math.h>

#define PI 3.14159265358979323846

/* ---- Student's t distribution ---- */

/* Above this many degrees of freedom t is as good as normal. */
#define DF_MAX 100000.0

/* The continued fraction of the incomplete beta function, by Lentz's method (Abramowitz and Stegun, 26.5.8).
 */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), f;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	f = d;
	for (int m = 1; m < 10000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		f *= d * (fabs(c) < tiny ? tiny : c);
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		step = d * (fabs(c) < tiny ? tiny : c);
		f *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return f;
}

/* The regularised incomplete beta function. */
static double beta_share(double a, double b, double x)
{
	double front;

	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_below(double t, double df)
{
	double n = df < DF_MAX ? df : DF_MAX, tail = beta_share(n / 2, 0.5, n / (n + t * t)) / 2;

	return t > 0 ? 1 - tail : tail;
}

double student_quantile(double p, double df)
{
	double lo = 0, hi = 1;

	if (p < 0.5)
		return -student_quantile(1 - p, df);
	while (student_below(hi, df) < p && hi < 1e12)
		hi *= 2;
	for (int i = 0; i < 100; i++) {
		double mid = (lo + hi) / 2;

		if (student_below(mid, df) < p)
			lo = mid;
		else
			hi = mid;
	}
	return (lo + hi) / 2;
}

/* ---- the error of one side ---- */

static double error_of_mean(const double *v, size_t n, double *df)
{
	double terms = round(0.4 * cbrt((double)n * (double)n)), variance = 0;

	if (terms < 1)
		terms = 1;
	for (double j = 1; j <= terms; j++) {
		double sum = 0;

		for (size_t t = 0; t < n; t++)
			sum += v[t] * cos(PI * j * ((double)t + 0.5) / (double)n);
		variance += 2 * sum * sum / (double)n;
	}
	*df = terms;
	return sqrt(variance / terms / (double)n);
}

/* Fills `out` with the means of 2, 4, 8 ... neighbours, and returns their number. It leaves out the values at
   the end that are too few for a mean. */
static size_t join_neighbours(const double *v, size_t n, double out[COMPARE_MOST])
{
	size_t width = 1;

	while (n / width > COMPARE_MOST)
		width *= 2;
	for (size_t i = 0; i < n / width; i++) {
		out[i] = 0;
		for (size_t k = 0; k < width; k++)
			out[i] += v[i * width + k] / (double)width;
	}
	return n / width;
}

double compare_mean_error(const double *v, size_t n, double *df)
{
	double joined[COMPARE_MOST];

	return n > COMPARE_MOST ? error_of_mean(joined, join_neighbours(v, n, joined), df)
				: error_of_mean(v, n, df);
}

void compare_side_runs(struct compare_side *s, const double *v, size_t n)
{
	double mean = 0, sq = 0;

	for (size_t i = 0; i < n; i++)
		mean += log(v[i]) / (double)n;
	for (size_t i = 0; i < n; i++)
		sq += (log(v[i]) - mean) * (log(v[i]) - mean);
	s->value = n > 1 ? exp(mean) : v[0];
	s->known = n > 1;
	if (!s->known)
		return;
	s->df = (double)n - 1;
	s->error = sqrt(sq / s->df / (double)n);
}

void compare_side_pool(struct compare_side *single, const struct compare_side *runs, size_t n)
{
	single->known = runs->known && single->value > 0;
	single->pooled = true;
	single->df = runs->df;
	single->error = runs->error * sqrt((double)n);
}

double compare_bucket_rounding(double ns)
{
	unsigned i = hist_index((uint64_t)(ns > 0 ? ns : 0));
	uint64_t above = i + 1 < HIST_BUCKETS ? hist_low(i + 1) - hist_mid(i) : 0,
		 below = hist_mid(i) - hist_low(i);

	return ns > 0 ? (double)(above > below ? above : below) / ns : 0;
}

/* Returns the bucket at which the cumulative share of the I/Os reaches this share; 0 < share < 1. */
static unsigned bucket_at(const struct compare_quantile *q, double share)
{
	double sum = 0, want = share * q->n;
	unsigned i = q->hist->lo;

	for (; i < q->hist->hi; i++) {
		sum += (double)q->hist->n[i];
		if (sum >= want * (1 - 1e-12))
			break;
	}
	return i;
}

/* Returns the distance, in logarithms, from the percentile to the one whose share differs by this many
   standard errors. */
static double quantile_distance(const struct compare_quantile *q, double errors)
{
	double share = q->share + errors * q->error, from, to;

	if (share <= 0 || share >= 1)
		return INFINITY;
	from = (double)hist_mid(bucket_at(q, q->share));
	to = (double)hist_mid(bucket_at(q, share));
	return from > 0 && to > 0 ? fabs(log(to / from)) : INFINITY;
}

/* Returns the distance, in logarithms, from the value to its limit at this many standard errors. A negative
   number asks for the lower limit. */
static double distance(const struct compare_side *s, double errors)
{
	return s->quantile.hist ? quantile_distance(&s->quantile, errors) : fabs(errors) * s->error;
}

/* Returns the square of the relative standard error. */
static double variance_of(const struct compare_side *s)
{
	double down = distance(s, -1), up = distance(s, 1);
	double mean = isinf(up) ? down : isinf(down) ? up : (down + up) / 2;

	return mean * mean;
}

/* The degrees of freedom of a difference, after Welch and Satterthwaite. */
static double joint_df(const struct compare_side *a, const struct compare_side *b)
{
	double least = fmin(a->df, b->df), va = variance_of(a), vb = variance_of(b), sum = va + vb, df;

	if (a->pooled || b->pooled || !(sum > 0) || isinf(sum))
		return least;
	df = sum * sum / (va * va / a->df + vb * vb / b->df);
	return df > least ? df : least;
}

static void set_interval(struct compare_change *c, const struct compare_side *a, const struct compare_side *b,
			 double confidence)
{
	double t, power, ratio = log(b->value / a->value), rounding = a->rounding + b->rounding, down, up;

	c->df = joint_df(a, b);
	t = student_quantile(0.5 + confidence / 2, c->df);
	power = student_quantile(0.8, c->df);
	down = hypot(distance(b, -t), distance(a, t));
	up = hypot(distance(b, t), distance(a, -t));
	c->interval = true;
	c->lo = expm1(ratio - down - rounding);
	c->hi = expm1(ratio + up + rounding);
	c->shown = c->lo > 0 || c->hi < 0;
	c->detectable = expm1((down + up) / 2 * (t + power) / t + rounding);
}

void compare_sides(struct compare_change *c, const struct compare_side *a, const struct compare_side *b,
		   double confidence)
{
	*c = (struct compare_change){ .known = a->value > 0 && b->value > 0 };
	if (!c->known)
		return;
	c->change = b->value / a->value - 1;
	if (a->known && b->known)
		set_interval(c, a, b, confidence);
}

unsigned compare_runs_for(double share, double deviation, double rounding, double confidence)
{
	double room = log1p(share) - rounding;

	for (unsigned n = 2; n <= COMPARE_RUNS_MOST && room > 0; n++) {
		double df = 2 * (double)n - 2;
		double t = student_quantile(0.5 + confidence / 2, df) + student_quantile(0.8, df);

		if (t * deviation * sqrt(2 / (double)n) <= room)
			return n;
	}
	return 0;
}

bool compare_limits(const struct compare_side *s, double confidence, double *lo, double *hi)
{
	double t;

	if (!s->known || !(s->value > 0))
		return false;
	t = student_quantile(0.5 + confidence / 2, s->df);
	*lo = s->value * exp(-distance(s, -t) - s->rounding);
	*hi = s->value * exp(distance(s, t) + s->rounding);
	return true;
}
