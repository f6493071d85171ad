/* trend_lines.c: the stretches of each figure between its changes, and the settings that change on the way.
 */
#include "trend.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "change_points.h"

#define TO_DEVIATION 1.4826 /* the median distance of normally distributed figures -> their deviation */

double trend_value(const struct trend_set *s, size_t point, size_t line)
{
	const struct trend_point *p = &s->point.v[point];

	return line < p->nvalues ? p->value[line] : NAN;
}

int trend_join(struct trend_joined *j, const struct trend_set *s, size_t line, size_t from, size_t to)
{
	double *v = calloc(to - from, sizeof(*v));
	size_t n = 0;

	if (!v)
		return -ENOMEM;
	for (size_t i = from; i < to; i++) {
		v[n] = trend_value(s, i, line);
		n += !isnan(v[n]);
	}
	if (n) {
		j->median = change_points_median(v, n);
		j->lowest = v[0];
		j->highest = v[n - 1];
	}
	free(v);
	return (int)n;
}

/* The points that have a figure. */
struct figures {
	double *v;
	double *work; /* as long */
	size_t *at;   /* their numbers */
	bool *may;    /* a change may begin here: with a key, where its value changes */
	size_t n;
};

static int figures_init(struct figures *f, size_t points)
{
	*f = (struct figures){ 0 };
	f->v = calloc(points, sizeof(*f->v));
	f->work = calloc(points, sizeof(*f->work));
	f->at = calloc(points, sizeof(*f->at));
	f->may = calloc(points, sizeof(*f->may));
	return f->v && f->work && f->at && f->may ? 0 : -ENOMEM;
}

static void figures_fini(struct figures *f)
{
	free(f->v);
	free(f->work);
	free(f->at);
	free(f->may);
}

static void figures_of(struct figures *f, const struct trend_set *s, size_t line)
{
	f->n = 0;
	for (size_t i = 0; i < s->point.n; i++) {
		const struct trend_point *p = &s->point.v[i];
		double v = trend_value(s, i, line);

		if (isnan(v))
			continue;
		f->v[f->n] = v;
		f->at[f->n] = i;
		f->may[f->n] = !f->n || !p->key || strcmp(p->key, s->point.v[f->at[f->n - 1]].key) != 0;
		f->n++;
	}
}

static double median_of(struct figures *f, size_t from, size_t to)
{
	memcpy(f->work, f->v + from, (to - from) * sizeof(*f->work));
	return change_points_median(f->work, to - from);
}

/* Turns the figures from `from` to `to` into their distances from the median, as shares of it. */
static double stretch(struct figures *f, size_t from, size_t to)
{
	double median = median_of(f, from, to);

	for (size_t i = from; i < to; i++)
		f->v[i] = fabs(f->v[i] / median - 1);
	return median;
}

static int find_line(struct trend *t, struct trend_set *s, size_t line, struct figures *f)
{
	struct trend_line *l = &s->line.v[line];
	struct change_points c;
	int err;

	figures_of(f, s, line);
	l->known = f->n;
	err = change_points_find(&c, f->v, f->n, f->may);
	l->last = trend_value(s, s->point.n - 1, line);
	l->change = err ? NULL : arena_array(&t->mem, c.n + 1, sizeof(*l->change));
	for (size_t i = 0, from = 0; l->change && f->n && i <= c.n; i++) {
		size_t to = i < c.n ? c.v[i] : f->n;

		l->now = stretch(f, from, to);
		if (i)
			l->change[i - 1].after = l->now;
		else
			l->first = l->now;
		if (i < c.n)
			l->change[i] = (struct trend_change){ .at = f->at[to], .before = l->now };
		from = to;
	}
	l->nchanges = c.n;
	if (f->n)
		l->noise = TO_DEVIATION * change_points_median(f->v, f->n);
	change_points_fini(&c);
	return l->change ? 0 : -ENOMEM;
}

/* ---- settings ---- */

static bool same_text(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

static const struct trend_setting *find_setting(const struct trend_point *p, const struct trend_setting *of)
{
	for (size_t i = 0; i < p->nsettings; i++)
		if (same_text(p->setting[i].job, of->job) && !strcmp(p->setting[i].name, of->name))
			return &p->setting[i];
	return NULL;
}

static void add_step(struct trend *t, struct trend_set *s, size_t at, const struct trend_setting *of,
		     const char *before, const char *value)
{
	struct trend_step step = { at, { of->job, of->name, before, value } };

	if (strcmp(before, value) != 0)
		t->failed |= !VEC_PUSH(&s->step, step);
}

/* A document that does not list a setting has the one of the first document. */
static void find_steps(struct trend *t, struct trend_set *s)
{
	for (size_t i = 1; i < s->point.n; i++) {
		const struct trend_point *a = &s->point.v[i - 1], *b = &s->point.v[i];

		if (a->setting == b->setting)
			continue;
		for (size_t k = 0; k < b->nsettings; k++) {
			const struct trend_setting *now = &b->setting[k], *was = find_setting(a, now);

			add_step(t, s, i, now, was ? was->value : now->usual, now->value);
		}
		for (size_t k = 0; k < a->nsettings; k++)
			if (!find_setting(b, &a->setting[k]))
				add_step(t, s, i, &a->setting[k], a->setting[k].value, a->setting[k].usual);
	}
}

int trend_find_lines(struct trend *t, struct trend_set *s)
{
	struct figures f;
	int err = figures_init(&f, s->point.n);

	for (size_t i = 0; i < s->line.n && !err; i++)
		err = find_line(t, s, i, &f);
	figures_fini(&f);
	if (!err)
		find_steps(t, s);
	return err;
}
