#include "samples.h"

#include <math.h>
#include "scale.h"

/* Rates of this value or more lose their fraction, so that their sums are exact. */
#define NOT_LOW 1000

void samples_add_rate(struct samples *s, uint64_t count, uint64_t ns, unsigned unit, uint64_t n)
{
	uint64_t rate = scale(count, SCALE_NS, ns) / unit;

	samples_add_n(s, rate < NOT_LOW ? (double)count * SCALE_NS / (double)ns / unit : (double)rate, n);
}

void samples_add(struct samples *s, double value)
{
	samples_add_n(s, value, 1);
}

void samples_add_n(struct samples *s, double v, uint64_t count)
{
	double n = (double)count;

	if (count == 0)
		return;
	if (s->n == 0 || v < s->min)
		s->min = v;
	if (v > s->max)
		s->max = v;
	s->n += count;
	s->sum += v * n;
	s->sq += v * v * n;
}

double samples_mean(const struct samples *s)
{
	return s->n ? s->sum / (double)s->n : 0;
}

/* The sums of integers are exact up to 2^53, which is a thousand samples of 3 million each. */
double samples_stddev(const struct samples *s)
{
	long double n = (long double)s->n, sum = (long double)s->sum, spread;

	if (s->n < 2)
		return 0;
	spread = (long double)s->sq - sum * sum / n;
	return spread > 0 ? (double)sqrtl(spread / (n - 1)) : 0;
}

void samples_add_parallel(struct samples *s, const struct samples *other)
{
	double dev = samples_stddev(s), more = samples_stddev(other);
	double mean = samples_mean(s) + samples_mean(other), var = dev * dev + more * more;
	uint64_t n = s->n > other->n ? s->n : other->n;

	if (!other->n)
		return;
	if (!s->n) {
		*s = *other;
		return;
	}
	s->n = n;
	s->min += other->min;
	s->max += other->max;
	s->sum = mean * (double)n;
	s->sq = var * (double)(n - 1) + mean * s->sum;
}
