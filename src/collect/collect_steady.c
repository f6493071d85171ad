#include "collect_parts.h"
#include <math.h>

#include <stdio.h>
#include <stdlib.h>
#include "result.h"
#include "rows.h"
#include "run.h"
#include "steady.h"
#include "ticker.h"

static uint64_t rounded(double v)
{
	return (uint64_t)llround(v);
}

/* Sets the figures of one quantity, and returns its mean. */
static uint64_t set_values(const struct steady_window *w, enum steady_of of, uint64_t *v)
{
	struct steady_cfg c = w->cfg;
	double sum = 0;

	c.of = of;
	for (size_t i = 0; i < w->n; i++) {
		double value = steady_value(&c, steady_window_at(w, i));

		v[i] = rounded(value);
		sum += value;
	}
	return w->n ? rounded(sum / (double)w->n) : 0;
}

static void set_judgement(struct result_steady *s, const struct steady_window *w, char *criterion,
			  size_t size)
{
	struct steady_figures f;

	steady_window_figures(w, &f);
	snprintf(criterion, size, "%f%s", steady_criterion(&w->cfg, &f), w->cfg.percent ? "%" : "");
	s->max_deviation = w->cfg.by == STEADY_DEVIATION ? f.deviation : 0;
	s->slope = w->cfg.by != STEADY_DEVIATION ? f.slope : 0;
	s->range_percent = steady_range_percent(&f);
	s->rise_percent = w->n ? steady_rise_percent(&f, w->n) : 0;
}

static void name_criterion(const struct steady_cfg *c, char *to, size_t size)
{
	if (c->by == STEADY_SNIA)
		snprintf(to, size, "%s", steady_name(c));
	else
		snprintf(to, size, "%s:%f%s", steady_name(c), c->limit, c->percent ? "%" : "");
}

void collect_steady(struct result *r, struct result_job *job, const struct run *run, uint32_t report)
{
	const struct steady_window *w = ticker_steady(run->ticker, report);
	char name[64], criterion[64];
	struct result_steady s = { .on = true };
	uint64_t *v;

	if (!w)
		return;
	v = calloc(3 * w->n + 1, sizeof(*v));
	if (!v) {
		r->failed = true;
		return;
	}
	s.samples = w->n;
	s.iops = v;
	s.bw = v + w->n;
	s.lat = w->cfg.of == STEADY_LAT ? v + 2 * w->n : NULL;
	s.iops_mean = set_values(w, STEADY_IOPS, v);
	s.bw_mean = set_values(w, STEADY_BW, v + w->n);
	s.lat_mean = s.lat ? set_values(w, STEADY_LAT, v + 2 * w->n) : 0;
	for (size_t i = 0; i < w->n; i++) {
		s.ios += steady_window_at(w, i)->ios;
		s.bytes += steady_window_at(w, i)->bytes;
	}
	set_judgement(&s, w, criterion, sizeof(criterion));
	name_criterion(&w->cfg, name, sizeof(name));
	s.ss = name;
	s.criterion = criterion;
	s.duration_ns = w->cfg.duration_ns;
	s.interval_ns = w->cfg.interval_ns;
	s.attained = w->attained;
	s.attained_ns = w->attained ? (w->seen + w->left_out) * w->cfg.interval_ns : 0;
	result_job_steady(r, job, &s);
	free(v);
}
