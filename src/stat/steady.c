#include "steady.h"

#include <math.h>
#include <stdlib.h>

#define S 1e9

void steady_figures(struct steady_figures *f, const double *v, size_t n)
{
	double middle = ((double)n - 1) / 2, rise = 0, squares = 0, min = INFINITY, max = -INFINITY;

	*f = (struct steady_figures){ 0 };
	for (size_t i = 0; i < n; i++)
		f->mean += v[i] / (double)n;
	for (size_t i = 0; i < n; i++) {
		double at = (double)i - middle;

		f->deviation = fmax(f->deviation, fabs(v[i] - f->mean));
		rise += at * (v[i] - f->mean);
		squares += at * at;
		min = fmin(min, v[i]);
		max = fmax(max, v[i]);
	}
	f->slope = squares > 0 ? rise / squares : 0;
	f->range = n ? max - min : 0;
}

bool steady_cfg_equal(const struct steady_cfg *a, const struct steady_cfg *b)
{
	return a->of == b->of && a->by == b->by && a->percent == b->percent && !(a->limit < b->limit) &&
	       !(a->limit > b->limit) && a->duration_ns == b->duration_ns && a->ramp_ns == b->ramp_ns &&
	       a->interval_ns == b->interval_ns;
}

static double percent_of_mean(const struct steady_figures *f, double v)
{
	return f->mean > 0 ? v / f->mean * 100 : 0;
}

double steady_range_percent(const struct steady_figures *f)
{
	return percent_of_mean(f, f->range);
}

double steady_rise_percent(const struct steady_figures *f, size_t n)
{
	return percent_of_mean(f, f->slope * ((double)n - 1));
}

double steady_criterion(const struct steady_cfg *c, const struct steady_figures *f)
{
	double v = c->by == STEADY_SNIA ? f->range : c->by == STEADY_SLOPE ? f->slope : f->deviation;

	return c->percent || c->by == STEADY_SNIA ? percent_of_mean(f, v) : v;
}

bool steady_attained(const struct steady_cfg *c, const struct steady_figures *f, size_t n)
{
	if (!(f->mean > 0))
		return false;
	if (c->by == STEADY_SNIA)
		return steady_range_percent(f) <= STEADY_RANGE_PERCENT &&
		       fabs(steady_rise_percent(f, n)) <= STEADY_RISE_PERCENT;
	return fabs(steady_criterion(c, f)) < c->limit;
}

double steady_value(const struct steady_cfg *c, const struct steady_sample *s)
{
	if (c->of == STEADY_LAT)
		return s->lat_n ? (double)s->lat_sum / (double)s->lat_n : 0;
	return (double)(c->of == STEADY_BW ? s->bytes : s->ios) * S / (double)c->interval_ns;
}

size_t steady_samples(const struct steady_cfg *c)
{
	return c->interval_ns ? (size_t)(c->duration_ns / c->interval_ns) : 0;
}

bool steady_window_init(struct steady_window *w, const struct steady_cfg *c)
{
	*w = (struct steady_window){ .cfg = *c, .cap = steady_samples(c) };
	w->skip = (c->ramp_ns + c->interval_ns - 1) / c->interval_ns;
	w->sample = calloc(w->cap + 1, sizeof(*w->sample));
	w->value = calloc(w->cap + 1, sizeof(*w->value));
	return w->sample && w->value;
}

void steady_window_fini(struct steady_window *w)
{
	free(w->sample);
	free(w->value);
}

const struct steady_sample *steady_window_at(const struct steady_window *w, size_t i)
{
	return &w->sample[(w->next + w->cap - w->n + i) % w->cap];
}

void steady_window_figures(const struct steady_window *w, struct steady_figures *f)
{
	for (size_t i = 0; i < w->n; i++)
		w->value[i] = steady_value(&w->cfg, steady_window_at(w, i));
	steady_figures(f, w->value, w->n);
}

bool steady_window_add(struct steady_window *w, const struct steady_sample *s)
{
	struct steady_figures f;

	if (w->attained)
		return false;
	w->seen++;
	if (w->skip) {
		w->skip--;
		return false;
	}
	w->sample[w->next] = *s;
	w->next = (w->next + 1) % w->cap;
	w->n += w->n < w->cap;
	if (w->n < w->cap)
		return false;
	steady_window_figures(w, &f);
	w->attained = steady_attained(&w->cfg, &f, w->n);
	return w->attained;
}
