#include "skew.h"

#include <math.h>
#include "log_exp.h"

_Static_assert(SKEW_BATCH % 4 == 0 && SKEW_BATCH_FEW % 4 == 0, "log_batch takes four at a time");

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* H is the integral of x^-theta from 1. Its inverse maps a uniform number from H(1.5) - 1 to H(n + 0.5) to x,
   which is rounded to a rank k. The bar of k, from k - 0.5 to k + 0.5, is larger than k^-theta by a sliver
   at its left end; draws there are rejected. The bar of rank 1 has just its size.

   With e = 1 - theta, x^e = 1 + e H(x). So the uniform numbers lie between two such powers, and x is their
   power 1 / e. That loses precision where e is close to 0; there the uniform numbers are values of H. */
#define NEAR_ONE 1e-4

/* Returns a uniform number from 0 to 1, with 63 random bits, so that small ones are fine-grained. */
static inline double unit(struct rng *r)
{
	return (double)(int64_t)(rng_u64(r) >> 1) * 0x1p-63;
}

static double zipf_integral(double e, double x)
{
	double t = e * log(x);

	return fabs(t) > 0 ? expm1(t) / e : log(x);
}

static void init_zipf(struct skew *s, double theta)
{
	double e = 1 - theta, last = (double)s->n + 0.5, second = exp2(-theta);
	double bar = zipf_integral(e, 2.5) - zipf_integral(e, 1.5);
	double from = zipf_integral(e, 1.5) - 1, to = zipf_integral(e, last);

	s->theta = theta;
	s->near_one = fabs(e) < NEAR_ONE;
	if (!s->near_one) {
		s->power = 1 / e;
		from = 1 + e * from;
		to = exp(e * log(last));
	}
	/* Small random numbers are fine-grained, so they are added to the smaller end. */
	s->lo = from < to ? from : to;
	s->width = fabs(to - from);
	/* With theta, the sliver is the largest part of bar 2; its part falls faster than 1 / k^2. */
	s->squeeze = 4 * (bar / second - 1);
}

/* Returns whether the uniform number lies in the bar of k, but not in its sliver. */
static bool in_bar(const struct skew *s, double at, double k)
{
	double e = 1 - s->theta, size = exp(-s->theta * log(k));

	if (s->near_one)
		return at >= zipf_integral(e, k + 0.5) - size;
	if (e > 0)
		return at >= exp(e * log(k + 0.5)) - e * size;
	return at <= exp(e * log(k + 0.5)) - e * size;
}

/* Replaces each uniform number by x. */
static ALWAYS_INLINE void invert_zipf(const struct skew *s, double *x, unsigned batch)
{
	if (s->near_one) {
		/* The series of log(1 + e u) / e; e u is below 0.01. */
		for (unsigned i = 0; i < batch; i++) {
			double t = (1 - s->theta) * x[i],
			       sum = 1. / 4 - t * (1. / 5 - t * (1. / 6 - t * (1. / 7)));

			x[i] *= 1 - t * (1. / 2 - t * (1. / 3 - t * sum));
		}
	} else {
		log_batch(x, batch);
		for (unsigned i = 0; i < batch; i++)
			x[i] *= s->power;
	}
	exp_batch(x, batch);
}

/* Draws ranks from 0. Returns their number. */
static ALWAYS_INLINE unsigned draw_zipf(const struct skew *s, struct rng *r, uint64_t *rank, unsigned batch)
{
	double at[SKEW_BATCH], x[SKEW_BATCH], last = (double)s->n;
	unsigned n = 0;

	for (unsigned i = 0; i < batch; i++)
		x[i] = at[i] = s->lo + unit(r) * s->width;
	invert_zipf(s, x, batch);
	for (unsigned i = 0; i < batch; i++) {
		double near = x[i] < last ? x[i] : last, k = (double)(int64_t)(near + 0.5),
		       room = near - k + 0.5;

		rank[n] = k < 2 ? 0 : (uint64_t)(int64_t)k - 1;
		n += k < 2 || room * k * k >= s->squeeze || in_bar(s, at[i], k);
	}
	return n;
}

static ALWAYS_INLINE unsigned draw_pareto(const struct skew *s, struct rng *r, uint64_t *rank, unsigned batch)
{
	double x[SKEW_BATCH], n = (double)s->n;

	for (unsigned i = 0; i < batch; i++)
		x[i] = unit(r) + 0x1p-64;
	log_batch(x, batch);
	for (unsigned i = 0; i < batch; i++)
		x[i] *= s->power;
	exp_batch(x, batch);
	for (unsigned i = 0; i < batch; i++) {
		double at = x[i] * n;

		rank[i] = at < n ? (uint64_t)(int64_t)at : s->n - 1;
		if (s->reversed)
			rank[i] = s->n - 1 - rank[i];
	}
	return batch;
}

/* Marsaglia's polar method. Draws beyond the ends are left out. */
static ALWAYS_INLINE unsigned draw_normal(const struct skew *s, struct rng *r, uint64_t *place,
					  unsigned batch)
{
	double x[SKEW_BATCH], square[SKEW_BATCH], logs[SKEW_BATCH], n = (double)s->n;
	unsigned filled = 0;

	for (unsigned i = 0; i < batch;) {
		double y = 2 * unit(r) - 1;

		x[i] = 2 * unit(r) - 1;
		logs[i] = square[i] = x[i] * x[i] + y * y;
		i += square[i] < 1 && square[i] > 0;
	}
	log_batch(logs, batch);
	for (unsigned i = 0; i < batch; i++) {
		double at = s->mean + s->deviation * x[i] * sqrt(-2 * logs[i] / square[i]);
		bool inside = at >= 0 && at < n;

		place[filled] = inside ? (uint64_t)(int64_t)at : 0;
		filled += inside;
	}
	return filled;
}

/* Draws the place at the mean, if none of SKEW_BATCH draws lies inside the range. Only rounding makes that
   likely. */
static unsigned draw_mean(const struct skew *s, uint64_t *place)
{
	place[0] = s->mean < (double)s->n ? (uint64_t)(int64_t)s->mean : s->n - 1;
	return 1;
}

static ALWAYS_INLINE unsigned draw_batch(const struct skew *s, struct rng *r, uint64_t *place, unsigned batch)
{
	switch (s->kind) {
	case SKEW_ZIPF:
		return draw_zipf(s, r, place, batch);
	case SKEW_PARETO:
		return draw_pareto(s, r, place, batch);
	case SKEW_NORMAL:
		return draw_normal(s, r, place, batch);
	}
	return 0;
}

static void shift_places(const struct skew *s, uint64_t *place, unsigned n)
{
	for (unsigned i = 0; i < n && s->shift; i++) {
		uint64_t at = place[i] + s->shift;

		place[i] = at < s->n ? at : at - s->n;
	}
}

/* As skew_refill, for a batch of SKEW_BATCH_FEW. */
static void refill_few(const struct skew *s, struct skew_batch *b, struct rng *r)
{
	for (unsigned i = 0; i < SKEW_BATCH / SKEW_BATCH_FEW && !b->len; i++)
		b->len = draw_batch(s, r, b->place, SKEW_BATCH_FEW);
	if (!b->len)
		b->len = draw_mean(s, b->place);
	for (unsigned i = 0; i < b->len && s->scattered; i++)
		b->place[i] = scatter_one(&s->scatter, b->place[i]);
	shift_places(s, b->place, b->len);
}

void skew_refill(const struct skew *s, struct skew_batch *b, struct rng *r)
{
	skew_restart(b);
	if (s->batch != SKEW_BATCH) {
		refill_few(s, b, r);
		return;
	}
	b->len = draw_batch(s, r, b->place, SKEW_BATCH);
	if (!b->len)
		b->len = draw_mean(s, b->place);
	for (unsigned i = b->len; i < SKEW_BATCH; i++)
		b->place[i] = 0;
	if (s->scattered)
		scatter_batch(&s->scatter, b->place);
	shift_places(s, b->place, SKEW_BATCH);
}

static uint64_t center_of(const struct skew_cfg *cfg, uint64_t n)
{
	double at = cfg->center * (double)n;

	return at < (double)n ? (uint64_t)at : n - 1;
}

void skew_init(struct skew *s, const struct skew_cfg *cfg, uint64_t n)
{
	double h = cfg->param;

	*s = (struct skew){ .kind = cfg->kind, .batch = SKEW_BATCH, .n = n };
	if (cfg->centered && cfg->kind != SKEW_NORMAL)
		s->shift = center_of(cfg, n);
	switch (cfg->kind) {
	case SKEW_ZIPF:
		init_zipf(s, cfg->param);
		break;
	case SKEW_PARETO:
		s->power = log(h) / log1p(-h);
		s->reversed = h > 0.5;
		break;
	case SKEW_NORMAL:
		s->mean = (cfg->centered ? cfg->center : 0.5) * (double)n;
		s->deviation = cfg->param / 100 * (double)n;
		break;
	}
}

void skew_scatter(struct skew *s, const struct skew_cfg *cfg, uint64_t key)
{
	if (s->kind == SKEW_NORMAL)
		return;
	scatter_init(&s->scatter, s->n, key);
	s->scattered = true;
	if (cfg->centered)
		s->shift = (center_of(cfg, s->n) + s->n - scatter_one(&s->scatter, 0)) % s->n;
}
