#include "compare_series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Returns the number of the first interval that the group fills: after doublings a group may begin within
   one, and its record of this interval is of a shorter time. */
static uint64_t whole_first(const struct series *s, const struct series_group *g)
{
	uint64_t len = series_interval_ns(s), begin = g->first * len;

	return g->first + (g->begin_ns > begin && g->begin_ns < begin + len);
}

/* Returns the number of the first interval of the grid that the group does not fill. */
static uint64_t whole_end(const struct series *s, const struct series_group *g)
{
	uint64_t end = g->first + g->cells.n, whole = g->end_ns / series_interval_ns(s);

	return whole < end ? whole : end;
}

/* Sets first and n to the intervals in which any group was at work. */
static void find_intervals(struct compare_series *c)
{
	uint64_t first = UINT64_MAX, end = 0;

	for (unsigned i = 0; i < c->ngroups; i++) {
		const struct series_group *g = &c->s->groups[c->groups[i]];

		if (!g->cells.n)
			continue;
		if (whole_first(c->s, g) < first)
			first = whole_first(c->s, g);
		if (whole_end(c->s, g) > end)
			end = whole_end(c->s, g);
	}
	c->first = first;
	c->n = end > first ? (size_t)(end - first) : 0;
}

static void compare_lat(struct compare_series *c, size_t at, const struct ival_lat *l)
{
	c->lats[at] += (double)l->n;
	c->lat_sum[at] += (double)l->sum;
	c->bins &= l->bins || !l->n;
	ival_add_bins(l, c->hist);
}

/* Returns the number of the interval of cell i, or c->n if the cell is empty or not in one of them. */
static size_t interval_at(const struct compare_series *c, const struct series_group *g, size_t i)
{
	uint64_t cell = g->first + i;

	return g->cells.v[i].rec && cell >= c->first && cell - c->first < c->n ? (size_t)(cell - c->first)
									       : c->n;
}

static void compare_group(struct compare_series *c, unsigned group)
{
	const struct series_group *g = &c->s->groups[group];
	struct ival v;

	for (size_t i = 0; i < g->cells.n; i++) {
		size_t at = interval_at(c, g, i);

		if (at == c->n)
			continue;
		series_get(c->s, group, i, &v);
		for (unsigned d = c->from_dir; d < c->until_dir; d++) {
			c->ios[at] += (double)v.dir[d].ios;
			c->bytes[at] += (double)v.dir[d].bytes;
			if (c->kind < LAT_KINDS)
				compare_lat(c, at, &v.dir[d].lat[c->kind]);
		}
	}
}

int compare_series_init(struct compare_series *c, const struct series *s, const unsigned *group,
			unsigned groups, unsigned dir, enum lat_kind kind)
{
	*c = (struct compare_series){
		.s = s, .groups = group, .ngroups = groups, .kind = kind, .bins = true
	};
	c->from_dir = dir == DIR_COUNT ? 0 : dir;
	c->until_dir = dir == DIR_COUNT ? DIR_DATA : dir + 1;
	find_intervals(c);
	c->ios = calloc(5 * c->n + 1, sizeof(*c->ios));
	c->hist = malloc(sizeof(*c->hist));
	if (!c->ios || !c->hist)
		return -ENOMEM;
	hist_init(c->hist);
	c->bytes = c->ios + c->n;
	c->lats = c->bytes + c->n;
	c->lat_sum = c->lats + c->n;
	c->work = c->lat_sum + c->n;
	for (unsigned i = 0; i < groups; i++)
		compare_group(c, group[i]);
	for (size_t t = 0; t < c->n; t++) {
		c->all_lats += c->lats[t];
		c->all_lat_sum += c->lat_sum[t];
	}
	return 0;
}

void compare_series_fini(struct compare_series *c)
{
	free(c->ios);
	free(c->hist);
	*c = (struct compare_series){ 0 };
}

void compare_series_rate(struct compare_series *c, bool bytes, struct compare_side *side)
{
	const double *v = bytes ? c->bytes : c->ios;
	double sum = 0;

	for (size_t t = 0; t < c->n; t++)
		sum += v[t];
	side->known = c->n >= COMPARE_LEAST && sum > 0;
	if (side->known)
		side->error = compare_mean_error(v, c->n, &side->df) * (double)c->n / sum;
}

/* A mean latency is the ratio of two sums over intervals: latencies and I/Os. Its error follows from the
   residuals of the intervals: the latencies of each, minus the mean times the I/Os of the interval. */
void compare_series_mean(struct compare_series *c, struct compare_side *side)
{
	double mean = c->all_lats > 0 ? c->all_lat_sum / c->all_lats : 0;

	side->known = c->n >= COMPARE_LEAST && mean > 0;
	if (!side->known)
		return;
	for (size_t t = 0; t < c->n; t++)
		c->work[t] = c->lat_sum[t] - mean * c->lats[t];
	side->error = compare_mean_error(c->work, c->n, &side->df) * (double)c->n / c->all_lat_sum;
}

/* The bucket of a percentile, and the part of its I/Os that lies below the percentile. */
struct cut {
	unsigned bucket;
	double part;
};

static struct cut find_cut(const struct hist *h, double want)
{
	double sum = 0;
	unsigned i = h->lo;

	for (; i < h->hi && sum + (double)h->n[i] < want; i++)
		sum += (double)h->n[i];
	return (struct cut){ i, h->n[i] ? (want - sum) / (double)h->n[i] : 0 };
}

/* Returns the I/Os of one interval below the percentile. */
static double below(const struct ival_lat *l, const struct cut *cut)
{
	struct ival_bins bins = ival_bins(l);
	unsigned bucket;
	uint64_t count;
	double n = 0;

	while (l->bins && ival_bin(&bins, &bucket, &count) && bucket <= cut->bucket)
		n += (double)count * (bucket == cut->bucket ? cut->part : 1);
	return n;
}

/* Fills work with the residual of each interval: its I/Os below the percentile, minus the share times all its
   I/Os. */
static void fill_below(struct compare_series *c, double share, const struct cut *cut)
{
	struct ival v;

	for (size_t t = 0; t < c->n; t++)
		c->work[t] = -share * c->lats[t];
	for (unsigned k = 0; k < c->ngroups; k++) {
		const struct series_group *g = &c->s->groups[c->groups[k]];

		for (size_t i = 0; i < g->cells.n; i++) {
			size_t at = interval_at(c, g, i);

			if (at == c->n)
				continue;
			series_get(c->s, c->groups[k], i, &v);
			for (unsigned d = c->from_dir; d < c->until_dir; d++)
				c->work[at] += below(&v.dir[d].lat[c->kind], cut);
		}
	}
}

void compare_series_percentile(struct compare_series *c, double share, struct compare_side *side)
{
	struct cut cut;
	double error, least;

	side->known = c->n >= COMPARE_LEAST && c->all_lats > 0 && c->bins && c->kind < LAT_KINDS;
	if (!side->known)
		return;
	cut = find_cut(c->hist, share * c->all_lats);
	fill_below(c, share, &cut);
	error = compare_mean_error(c->work, c->n, &side->df) * (double)c->n / c->all_lats;
	least = sqrt(share * (1 - share) / c->all_lats); /* the error if I/Os were independent */
	side->quantile =
		(struct compare_quantile){ c->hist, c->all_lats, share, error > least ? error : least };
}
