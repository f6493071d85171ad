#include "dist.h"

#include <math.h>
#include <stdlib.h>

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

	for (unsigned i = 0; i < c->npieces && places; i++) {
		uint64_t here = places < c->piece[i].places ? places : c->piece[i].places;

		sum += c->piece[i].share * (double)here / (double)c->piece[i].places;
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

/* Inserts a piece behind those that are as hot. */
static void add_piece(struct dist_curve *c, uint64_t places, double share)
{
	unsigned at = c->npieces++;

	while (at && c->piece[at - 1].share / (double)c->piece[at - 1].places < share / (double)places) {
		c->piece[at] = c->piece[at - 1];
		at--;
	}
	c->piece[at].places = places;
	c->piece[at].share = share;
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Cuts the range at both ends of each zone; a piece has its part of the accesses of all zones around it. */
static void add_zones(struct dist_curve *c, const struct dist_cfg *cfg, uint64_t align)
{
	const struct dist_zones *z = &cfg->dir[DIR_READ];
	struct dist_range range[DIST_ZONES];
	uint64_t cut[2 * DIST_ZONES] = { 0 };

	for (unsigned i = 0; i < z->n; i++) {
		range[i] = dist_zone_range(cfg, DIR_READ, i, c->places, align);
		cut[2 * i] = range[i].lo;
		cut[2 * i + 1] = range[i].hi;
	}
	qsort(cut, 2 * z->n, sizeof(*cut), ascending);
	for (unsigned k = 0; k + 1 < 2 * z->n; k++) {
		double density = 0, places = (double)(cut[k + 1] - cut[k]);

		for (unsigned i = 0; i < z->n; i++)
			if (range[i].lo <= cut[k] && range[i].hi >= cut[k + 1])
				density += z->zone[i].access / 100. / (double)(range[i].hi - range[i].lo);
		if (places > 0 && density > 0)
			add_piece(c, cut[k + 1] - cut[k], density * places);
	}
	if (!c->npieces)
		add_piece(c, c->places, 1);
}

void dist_curve_init(struct dist_curve *c, const struct dist_cfg *cfg, uint64_t places, uint64_t align)
{
	c->cfg = cfg;
	c->places = places;
	c->total = 1;
	c->npieces = 0;
	if (cfg && cfg->kind == DIST_SKEWED && cfg->skew.kind == SKEW_ZIPF)
		c->total = zipf_sum(cfg->skew.param, places);
	if (cfg && cfg->kind == DIST_SKEWED && cfg->skew.kind == SKEW_NORMAL)
		c->total = bell(&cfg->skew, 0, 1);
	if (cfg && cfg->kind == DIST_ZONED)
		add_zones(c, cfg, align);
}

double dist_curve_share(const struct dist_curve *c, uint64_t places)
{
	if (c->npieces)
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
