#include <math.h>
#include "chart.h"

static uint64_t total_sum(const struct chart_bins *b)
{
	uint64_t total = 0;

	for (size_t i = 0; i < b->n; i++)
		total += b->count[i];
	return total;
}

/* Finds percentiles in ascending order in one pass over the bins. */
struct finder {
	const struct chart_bins *bins;
	size_t at;
	uint64_t sum; /* of the bins up to `at` */
};

static uint64_t clamp(const struct chart_bins *b, uint64_t ns)
{
	if (!b->max)
		return ns;
	ns = ns > b->min ? ns : b->min;
	return ns < b->max ? ns : b->max;
}

/* Returns the latency that no more than `above` of the I/Os exceed. The tolerance is for products of powers
   of ten, which are not exact. */
static uint64_t find_value(struct finder *f, uint64_t total, long double above)
{
	const struct chart_bins *b = f->bins;
	long double need = (long double)total * (1 - 1e-15L) - above;

	while (f->at + 1 < b->n && (long double)f->sum < need)
		f->sum += b->count[++f->at];
	return clamp(b, b->ns[f->at]);
}

void chart_percentiles(struct chart_curve *c, const struct chart_bins *bins)
{
	uint64_t total = total_sum(bins);
	struct finder f = { bins, 0, bins->n ? bins->count[0] : 0 };
	double last = total ? log10((double)total) : 0;

	c->n = 0;
	if (!total)
		return;
	for (unsigned i = 0; i / 20.0 < last && c->n + 1 < CHART_CURVE; i++) {
		long double above = (long double)total * powl(10, -(long double)i / 20);

		c->v[c->n].nines = i / 20.0;
		c->v[c->n++].ns = find_value(&f, total, above);
	}
	c->v[c->n].nines = last;
	c->v[c->n++].ns = bins->max ? bins->max : bins->ns[bins->n - 1];
}

void chart_curve_thin(struct chart_curve *c, unsigned step)
{
	unsigned n = 0;

	for (unsigned i = 0; i < c->n; i++) {
		if (i % step == 0 || i + 1 == c->n)
			c->v[n++] = c->v[i];
	}
	c->n = n;
}

static void add_row(struct chart_nines *c, struct finder *f, uint64_t total, long double share_above,
		    unsigned decimals)
{
	long double above = (long double)total * share_above;

	if (c->n == CHART_NINES || above < 1 - 1e-9L)
		return;
	c->v[c->n].percent = (double)(100 - 100 * share_above);
	c->v[c->n].decimals = decimals;
	c->v[c->n].above = (uint64_t)(above + 1e-9L);
	c->v[c->n++].ns = find_value(f, total, above);
}

void chart_nines(struct chart_nines *c, const struct chart_bins *bins)
{
	uint64_t total = total_sum(bins);
	struct finder f = { bins, 0, bins->n ? bins->count[0] : 0 };

	c->n = 0;
	if (!total)
		return;
	add_row(c, &f, total, 0.5L, 0);
	add_row(c, &f, total, 0.1L, 0);
	for (unsigned nines = 1; nines < 16; nines++) {
		long double share = powl(10, -(long double)nines);

		add_row(c, &f, total, share / 2, nines - 1);
		add_row(c, &f, total, share / 10, nines - 1);
	}
}
