#include "dist_curve.h"

#include <math.h>
#include <stddef.h>

#define DIRECT 64 /* terms of a sum that are added one by one */

/* Returns 1 + 2^-theta + ... + n^-theta. The terms beyond the first ones come from the formula of Euler and
   Maclaurin, whose error is far below the rounding. */
static double zipf_sum(double theta, uint64_t n)
{
	double sum = 0, a = DIRECT, b = (double)n, e = 1 - theta, fa, fb;

	for (uint64_t k = n < DIRECT ? n : DIRECT; k > 0; k--)
		sum += pow((double)k, -theta);
	if (n <= DIRECT)
		return sum;
	fa = pow(a, -theta);
	fb = pow(b, -theta);
	sum += fabs(e) > 0 ? pow(a, e) * expm1(e * log(b / a)) / e : log(b / a);
	sum += (fb - fa) / 2 + theta / 12 * (fa / a - fb / b);
	return sum - theta * (theta + 1) * (theta + 2) / 720 * (fa / (a * a * a) - fb / (b * b * b));
}

/* Returns the part of the bell between two points of the range, 0 to 1. */
static double bell(const struct skew_cfg *s, double from, double to)
{
	double center = s->centered ? s->center : 0.5, wide = s->param / 100 * sqrt(2);

	return (erf((to - center) / wide) - erf((from - center) / wide)) / 2;
}

/* The hottest places of a bell are those around its center. */
static double normal_share(const struct dist_curve *c, uint64_t places)
{
	const struct skew_cfg *s = &c->cfg->skew;
	double n = (double)c->places, k = (double)places, from = (s->centered ? s->center : 0.5) * n - k / 2;

	from = floor(from + 0.5);
	from = from < 0 ? 0 : from > n - k ? n - k : from;
	return bell(s, from / n, (from + k) / n) / c->total;
}

static double pareto_share(double h, double part)
{
	double power = log1p(-h) / log(h);

	return h > 0.5 ? 1 - pow(1 - part, power) : pow(part, power);
}

static double zoned_share(const struct dist_curve *c, uint64_t places)
{
	double sum = 0;

	for (unsigned i = 0; i < c->nzones && places; i++) {
		uint64_t here = places < c->zone[i].places ? places : c->zone[i].places;

		sum += c->zone[i].share * (double)here / (double)c->zone[i].places;
		places -= here;
	}
	return sum < 1 ? sum : 1;
}

static double skewed_share(const struct dist_curve *c, uint64_t places)
{
	const struct skew_cfg *s = &c->cfg->skew;

	switch (s->kind) {
	case SKEW_ZIPF:
		return zipf_sum(s->param, places) / c->total;
	case SKEW_PARETO:
		return pareto_share(s->param, (double)places / (double)c->places);
	case SKEW_NORMAL:
		return normal_share(c, places);
	}
	return 0;
}

/* Inserts a zone behind those that are as hot. */
static void add_zone(struct dist_curve *c, uint64_t places, double share)
{
	unsigned at = c->nzones++;

	while (at && c->zone[at - 1].share / (double)c->zone[at - 1].places < share / (double)places) {
		c->zone[at] = c->zone[at - 1];
		at--;
	}
	c->zone[at].places = places;
	c->zone[at].share = share;
}

/* Adds the zones that have places, with the accesses of those that have none. */
static void add_zones(struct dist_curve *c, const struct dist_cfg *cfg, uint64_t align)
{
	const struct dist_zones *z = &cfg->dir[DIR_READ];
	unsigned access[DIST_ZONES + 1] = { 0 };

	for (unsigned i = 0; i < z->n; i++)
		access[dist_zone_drawn(cfg, DIR_READ, i, c->places, align)] += z->zone[i].access;
	for (unsigned i = 0; i < z->n; i++)
		if (access[i])
			add_zone(c, dist_zone_places(cfg, DIR_READ, i, c->places, align), access[i] / 100.);
	if (!c->nzones)
		add_zone(c, c->places, 1);
}

void dist_curve_init(struct dist_curve *c, const struct dist_cfg *cfg, uint64_t places, uint64_t align)
{
	c->cfg = cfg;
	c->places = places;
	c->total = 1;
	c->nzones = 0;
	if (cfg && cfg->kind == DIST_SKEWED && cfg->skew.kind == SKEW_ZIPF)
		c->total = zipf_sum(cfg->skew.param, places);
	if (cfg && cfg->kind == DIST_SKEWED && cfg->skew.kind == SKEW_NORMAL)
		c->total = bell(&cfg->skew, 0, 1);
	if (cfg && cfg->kind == DIST_ZONED)
		add_zones(c, cfg, align);
}

double dist_curve_share(const struct dist_curve *c, uint64_t places)
{
	if (c->nzones)
		return zoned_share(c, places);
	if (!places || places >= c->places)
		return places ? 1 : 0;
	if (!c->cfg || c->cfg->kind != DIST_SKEWED)
		return (double)places / (double)c->places;
	return skewed_share(c, places);
}

uint64_t dist_curve_places(const struct dist_curve *c, double share)
{
	uint64_t lo = 0, hi = c->places; /* the share of lo is too small, that of hi is not */

	while (hi - lo > 1) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (dist_curve_share(c, mid) < share)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}
