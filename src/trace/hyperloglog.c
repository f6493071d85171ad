#include "hyperloglog.h"

#include <math.h>

#define RANKS (64 - HYPERLOGLOG_BITS)

/* The estimator is that of Ertl, "New cardinality estimation algorithms for HyperLogLog sketches" (2017),
   which needs no correction of its bias. sigma accounts for registers that are still 0, tau for those at the
   limit. */
static double sigma(double x)
{
	double y = 1, z = x, last;

	do {
		x *= x;
		last = z;
		z += x * y;
		y += y;
	} while (z != last);
	return z;
}

static double tau(double x)
{
	double y = 1, z = 1 - x, last;

	if (x <= 0 || x >= 1)
		return 0;
	do {
		x = sqrt(x);
		last = z;
		y /= 2;
		z -= (1 - x) * (1 - x) * y;
	} while (z != last);
	return z / 3;
}

double hyperloglog_estimate(const struct hyperloglog *h)
{
	const double m = HYPERLOGLOG_REGISTERS;
	uint32_t count[RANKS + 2] = { 0 };
	double z;

	for (unsigned i = 0; i < HYPERLOGLOG_REGISTERS; i++)
		count[h->rank[i]]++;
	if (count[0] == HYPERLOGLOG_REGISTERS)
		return 0;
	z = m * tau(1 - count[RANKS + 1] / m);
	for (unsigned k = RANKS; k; k--)
		z = (z + count[k]) / 2;
	z += m * sigma(count[0] / m);
	return m * m / (2 * log(2) * z);
}
