#include "student.h"

#include <math.h>

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
