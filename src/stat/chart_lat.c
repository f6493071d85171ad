#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include "chart_time.h"

/* Intervals are joined only as long as at least this many points are left. */
#define LEAST_POINTS 60
/* The I/Os that a point should have: enough for p99.9. */
#define ENOUGH_IOS 1000

static const double percents[CHART_MAX] = { 50, 99, 99.9 };

/* Returns how many intervals a point joins. */
static size_t intervals_per_point(const struct chart_time *t, unsigned dir, enum lat_kind kind)
{
	struct chart_sum all = { .min = UINT64_MAX };
	size_t busy = 0, want, most = t->n / LEAST_POINTS;

	for (size_t i = 0; i < t->n; i++) {
		uint64_t before = all.n;

		chart_sum_add(&all, t, i, dir, kind);
		busy += all.n > before;
	}
	if (!busy || most < 2)
		return 1;
	want = (size_t)ceil(ENOUGH_IOS / ((double)all.n / (double)busy));
	return want < most ? want : most;
}

/* Returns a percentile of a point, or NAN if the point has too few I/Os for one to take longer. */
static double percentile(const struct chart_sum *sum, double percent)
{
	uint64_t total = hist_total(sum->hist);

	if ((double)total * (100 - percent) < 100 * (1 - 1e-9))
		return NAN;
	return (double)hist_percentile(sum->hist, total, percent, sum->min, sum->max);
}

static void set_point(struct chart_lat *c, size_t i, double t_ms, const struct chart_sum *sum)
{
	for (unsigned k = 0; k < CHART_LAT_LINES; k++) {
		c->line[k].t_ms[i] = t_ms;
		c->line[k].v[i] = k < CHART_MAX ? percentile(sum, percents[k]) : NAN;
	}
	if (!sum->n)
		return;
	c->line[CHART_MAX].v[i] = (double)sum->max;
	c->line[CHART_MEAN].v[i] = (double)sum->sum / (double)sum->n;
}

static int fill_points(struct chart_lat *c, const struct chart_time *t, size_t per, unsigned dir,
		       enum lat_kind kind)
{
	struct chart_sum sum = { .hist = calloc(1, sizeof(*sum.hist)) };
	size_t points = (t->n + per - 1) / per;

	if (!sum.hist)
		return -ENOMEM;
	for (size_t p = 0; p < points; p++) {
		size_t from = p * per, until = from + per < t->n ? from + per : t->n;

		chart_sum_reset(&sum);
		for (size_t i = from; i < until; i++)
			chart_sum_add(&sum, t, i, dir, kind);
		set_point(c, p,
			  ((double)chart_time_from(t, from) + (double)chart_time_until(t, until - 1)) / 2e6,
			  &sum);
	}
	for (unsigned k = 0; k < CHART_LAT_LINES; k++)
		c->line[k].n = points;
	free(sum.hist);
	return 0;
}

static size_t values_of(const struct chart_line *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		n += !isnan(l->v[i]);
	return n;
}

int chart_lat(struct chart_lat *c, const struct series *s, unsigned group, unsigned dir, enum lat_kind kind)
{
	struct chart_time t;
	size_t per, busy;
	int rc = 0;

	chart_time(&t, s, group);
	if (kind >= LAT_KINDS)
		t.n = 0;
	per = intervals_per_point(&t, dir, kind);
	*c = (struct chart_lat){
		.step_ms = fmin((double)per * (double)t.len_ns, (double)(t.end_ns - t.start_ns)) / 1e6
	};
	for (unsigned k = 0; k < CHART_LAT_LINES && !rc; k++)
		rc = chart_line_alloc(&c->line[k], t.n / per + 1);
	if (!rc)
		rc = fill_points(c, &t, per, dir, kind);
	if (rc) {
		chart_lat_fini(c);
		return rc;
	}
	busy = values_of(&c->line[CHART_MEAN]);
	for (unsigned k = 0; k < CHART_LAT_LINES; k++) {
		if (!busy || 2 * values_of(&c->line[k]) < busy)
			c->line[k].n = 0;
		chart_line_finish(&c->line[k]);
	}
	return 0;
}

void chart_lat_fini(struct chart_lat *c)
{
	for (unsigned k = 0; k < CHART_LAT_LINES; k++)
		chart_line_fini(&c->line[k]);
	*c = (struct chart_lat){ 0 };
}
