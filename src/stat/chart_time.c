#include "chart_time.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define MS 1e6

/* Returns the end of the group's last interval, which lies within its last cell. Documents have it in whole
   ms, so that it may be the beginning of that cell. */
static uint64_t end_of(const struct series_group *g, uint64_t len, uint64_t first_ns)
{
	uint64_t last = first_ns + (g->cells.n - 1) * len;
	bool known = g->end_ns >= last && g->end_ns < last + len;

	return known && (g->cells.n > 1 || g->end_ns > last) ? g->end_ns : last + len;
}

void chart_time(struct chart_time *t, const struct series *s, unsigned group)
{
	const struct series_group *g = group < s->ngroups ? &s->groups[group] : NULL;
	uint64_t len = series_interval_ns(s);

	*t = (struct chart_time){ .series = s, .group = group, .len_ns = len };
	if (!g || !g->cells.n || !len)
		return;
	t->start_ns = t->first_ns = g->first * len;
	t->n = t->cells = g->cells.n;
	t->end_ns = end_of(g, len, t->first_ns);
	if (g->begin_ns > t->first_ns && g->begin_ns < t->first_ns + len && g->begin_ns < t->end_ns)
		t->start_ns = g->begin_ns;
	if (t->n > 1 && t->end_ns - (t->first_ns + (t->n - 1) * len) < len / 2)
		t->n--;
}

uint64_t chart_time_from(const struct chart_time *t, size_t i)
{
	return i ? t->first_ns + i * t->len_ns : t->start_ns;
}

uint64_t chart_time_until(const struct chart_time *t, size_t i)
{
	return i + 1 == t->n ? t->end_ns : t->first_ns + (i + 1) * t->len_ns;
}

double chart_time_middle_ms(const struct chart_time *t, size_t i)
{
	return ((double)chart_time_from(t, i) + (double)chart_time_until(t, i)) / 2 / MS;
}

size_t chart_span(const struct series *s, unsigned group, double *start_ms, double *end_ms)
{
	struct chart_time t;

	chart_time(&t, s, group);
	*start_ms = (double)t.start_ns / MS;
	*end_ms = (double)t.end_ns / MS;
	return t.n;
}

static void add_chart_dir(struct chart_sum *sum, const struct ival_dir *d, enum lat_kind kind)
{
	const struct ival_lat *l;

	sum->ios += d->ios;
	sum->bytes += d->bytes;
	sum->errors += d->errors;
	if (kind == LAT_KINDS || !d->lat[kind].n)
		return;
	l = &d->lat[kind];
	sum->min = l->min < sum->min ? l->min : sum->min;
	sum->max = l->max > sum->max ? l->max : sum->max;
	sum->n += l->n;
	sum->sum += l->sum;
	if (sum->hist)
		ival_add_bins(l, sum->hist);
}

void chart_sum_reset(struct chart_sum *sum)
{
	*sum = (struct chart_sum){ .min = UINT64_MAX, .hist = sum->hist };
	if (sum->hist)
		hist_reset(sum->hist);
}

void chart_sum_add(struct chart_sum *sum, const struct chart_time *t, size_t i, unsigned dir,
		   enum lat_kind kind)
{
	size_t until = i + 1 == t->n ? t->cells : i + 1;
	unsigned from_dir = dir == CHART_ALL ? 0 : dir, until_dir = dir == CHART_ALL ? DIR_DATA : dir + 1;

	for (; i < until; i++) {
		const struct ival *v;
		struct ival read;

		if (!t->series->groups[t->group].cells.v[i].rec)
			continue;
		v = series_at(t->series, t->group, i, &read);
		for (unsigned d = from_dir; d < until_dir; d++)
			add_chart_dir(sum, &v->dir[d], kind);
	}
}

int chart_line_alloc(struct chart_line *l, size_t n)
{
	*l = (struct chart_line){ .t_ms = malloc((n + 1) * sizeof(double)),
				  .v = malloc((n + 1) * sizeof(double)) };
	if (l->t_ms && l->v)
		return 0;
	chart_line_fini(l);
	return -ENOMEM;
}

void chart_line_fini(struct chart_line *l)
{
	free(l->t_ms);
	free(l->v);
	*l = (struct chart_line){ 0 };
}

static void keep_point(struct chart_line *l, size_t to, size_t from)
{
	l->t_ms[to] = l->t_ms[from];
	l->v[to] = l->v[from];
}

/* Writes the minimum and the maximum of the points from..until in their order at position `to`; one point if
   they are the same or if all are gaps. Returns the next position, which is at most to + 2. */
static size_t keep_extremes(struct chart_line *l, size_t to, size_t from, size_t until)
{
	size_t lo = from, hi = from;

	for (size_t i = from; i < until; i++) {
		if (isnan(l->v[i]))
			continue;
		if (isnan(l->v[lo]) || l->v[i] < l->v[lo])
			lo = i;
		if (isnan(l->v[hi]) || l->v[i] > l->v[hi])
			hi = i;
	}
	keep_point(l, to++, lo < hi ? lo : hi);
	if (lo != hi)
		keep_point(l, to++, lo < hi ? hi : lo);
	return to;
}

void chart_line_limit(struct chart_line *l, size_t points)
{
	size_t n = 0, columns = points / 2, all = l->n;

	if (all <= points)
		return;
	for (size_t c = 0; c < columns; c++)
		n = keep_extremes(l, n, c * all / columns, (c + 1) * all / columns);
	l->n = n;
}

void chart_line_finish(struct chart_line *l)
{
	l->min = l->max = NAN;
	for (size_t i = 0; i < l->n; i++) {
		l->min = fmin(l->min, l->v[i]);
		l->max = fmax(l->max, l->v[i]);
	}
	chart_line_limit(l, CHART_POINTS);
}
