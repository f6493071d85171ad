#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include "chart_time.h"

/* The time in flight of the I/Os, cell by cell. */
struct flight {
	const struct chart_time *t;
	double *ns;    /* of all I/Os, in each cell */
	double *whole; /* the sum of whole[0] to whole[j] is the number of I/Os in flight throughout cell j */
};

static double cell_from(const struct chart_time *t, size_t j)
{
	return (double)(j ? t->first_ns + j * t->len_ns : t->start_ns);
}

static double cell_until(const struct chart_time *t, size_t j)
{
	return (double)(j + 1 == t->cells ? t->end_ns : t->first_ns + (j + 1) * t->len_ns);
}

/* Returns the mean of max(0, ns - w) for w from 0 to len. An I/O that completes at the beginning of a cell
   was in flight for ns before a given moment; one that completes w later was in flight for w less before it.
 */
static double mean_before(double ns, double len)
{
	if (ns <= 0)
		return 0;
	return ns < len ? ns * ns / (2 * len) : ns - len / 2;
}

/* Adds `count` I/Os with latency ns that completed in cell i, evenly spread over it. Their starts lie in
   earlier cells, but never before the first one. */
static void add_flights(struct flight *f, size_t i, double ns, double count)
{
	double from = cell_from(f->t, i), len = cell_until(f->t, i) - from, after = mean_before(ns, len);
	size_t j = i;

	f->ns[i] += count * (ns - after);
	if (ns > len && i) {
		double begin = from - (ns - len); /* from this time on all of them were in flight */
		double cell = ceil((begin - (double)f->t->first_ns) / (double)f->t->len_ns);

		j = cell < 0 || begin <= cell_from(f->t, 0) ? 0 : (size_t)cell;
		j = j < i ? j : i;
		f->whole[j] += count;
		f->whole[i] -= count;
		after = mean_before(ns - (from - cell_from(f->t, j)), len);
	}
	for (; j > 0 && after > 0; j--) {
		double before = mean_before(ns - (from - cell_from(f->t, j - 1)), len);

		f->ns[j - 1] += count * (after - before);
		after = before;
	}
	f->ns[0] += count * after;
}

/* Adds the latencies of a direction in cell i. The middles of the bins are scaled so that their sum is the
   exact one. */
static void add_lat_flights(struct flight *f, size_t i, const struct ival_lat *l)
{
	struct ival_bins b = ival_bins(l);
	double sum = 0, scale;
	unsigned bucket;
	uint64_t count;

	while (l->bins && ival_bin(&b, &bucket, &count))
		sum += (double)hist_mid(bucket) * (double)count;
	if (!(sum > 0)) {
		if (l->n)
			add_flights(f, i, (double)l->sum / (double)l->n, (double)l->n);
		return;
	}
	scale = (double)l->sum / sum;
	b = ival_bins(l);
	while (ival_bin(&b, &bucket, &count))
		add_flights(f, i, (double)hist_mid(bucket) * scale, (double)count);
}

static void add_cell(struct flight *f, size_t i, unsigned dir)
{
	const struct series_group *g = &f->t->series->groups[f->t->group];
	unsigned until = dir == CHART_ALL ? DIR_DATA : dir + 1;
	const struct ival *v;
	struct ival read;

	if (!g->cells.v[i].rec)
		return;
	v = series_at(f->t->series, f->t->group, i, &read);
	for (unsigned d = dir == CHART_ALL ? 0 : dir; d < until; d++)
		add_lat_flights(f, i, &v->dir[d].lat[g->kind]);
}

/* Adds the I/Os that were in flight throughout a cell to its time. */
static void add_whole(struct flight *f)
{
	double whole = 0;

	for (size_t j = 0; j < f->t->cells; j++) {
		whole += f->whole[j];
		f->ns[j] += whole * (cell_until(f->t, j) - cell_from(f->t, j));
	}
}

/* Keeps in cell j what it has room for. Returns the rest. */
static double fit(struct flight *f, size_t j, double more, double most)
{
	double room = most * (cell_until(f->t, j) - cell_from(f->t, j)), all = f->ns[j] + more;

	f->ns[j] = fmin(all, room);
	return all - f->ns[j];
}

static void limit(struct flight *f, double most)
{
	double rest = 0;

	for (size_t j = 0; j < f->t->cells; j++)
		rest = fit(f, j, rest, most);
	for (size_t j = f->t->cells; j-- > 0 && rest > 0;)
		rest = fit(f, j, rest, most);
}

static void fill_line(struct chart_line *l, const struct flight *f, const struct chart_time *shown)
{
	const struct chart_time *t = f->t;
	double any = 0;

	for (size_t i = 0, j = 0; i < shown->n; i++) {
		bool last = i + 1 == shown->n;
		double ns = 0;

		for (; j < t->cells && (last || cell_from(t, j) < (double)chart_time_until(shown, i)); j++)
			ns += f->ns[j];
		any += ns;
		l->t_ms[i] = chart_time_middle_ms(shown, i);
		l->v[i] = ns / (double)(chart_time_until(shown, i) - chart_time_from(shown, i));
	}
	l->n = any > 0 ? shown->n : 0;
	chart_line_finish(l);
}

int chart_depth(struct chart_line *l, const struct series *s, const struct series *shown, unsigned group,
		unsigned dir, double most)
{
	struct chart_time t, points;
	struct flight f = { .t = &t };
	int rc;

	chart_time(&t, s, group);
	chart_time(&points, shown, group);
	rc = chart_line_alloc(l, points.n);
	if (rc || !t.n || s->groups[group].kind >= LAT_KINDS)
		return rc;
	f.ns = calloc(t.cells + 1, sizeof(*f.ns));
	f.whole = calloc(t.cells + 1, sizeof(*f.whole));
	if (f.ns && f.whole) {
		for (size_t i = 0; i < t.cells; i++)
			add_cell(&f, i, dir);
		add_whole(&f);
		if (most > 0)
			limit(&f, most);
		fill_line(l, &f, &points);
	} else {
		chart_line_fini(l);
		rc = -ENOMEM;
	}
	free(f.ns);
	free(f.whole);
	return rc;
}
