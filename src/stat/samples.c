#include "samples.h"

#include <math.h>

void samples_add(struct samples *s, uint64_t value)
{
	samples_add_n(s, value, 1);
}

void samples_add_n(struct samples *s, uint64_t value, uint64_t count)
{
	double v = (double)value, n = (double)count;

	if (count == 0)
		return;
	if (s->n == 0 || value < s->min)
		s->min = value;
	if (value > s->max)
		s->max = value;
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
