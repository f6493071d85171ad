/* trend_judge.c: conditions on the last point of each set. A is the stretch before it, since the last change,
   and B the point. */
#include "trend.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_job(const struct trend_set *s, const char *name)
{
	for (size_t i = 0; i < s->line.n; i++)
		if (!strcmp(s->line.v[i].job, name))
			return true;
	return false;
}

/* A single document of other jobs, which may stand in a directory by chance, has no condition to fail. */
static bool is_judged(const struct trend *t, const struct trend_set *s)
{
	return s->point.n > 1 || t->documents == t->set.n;
}

/* Returns the name of a job in the verdicts: with the number of its set if another set has a job of the
   name. */
static const char *job_name(struct trend *t, size_t set, const char *name)
{
	const char *text = name;

	for (size_t i = 0; i < t->set.n; i++)
		if (i != set && is_judged(t, &t->set.v[i]) && has_job(&t->set.v[i], name))
			text = arena_printf(&t->mem, "%s, set %zu", name, set + 1);
	t->failed |= !text;
	return text;
}

/* Sets A from the points since the last change, and returns how many it has. */
static size_t set_stretch(struct trend *t, const struct trend_set *s, size_t line, struct compare_side *a)
{
	const struct trend_line *l = &s->line.v[line];
	size_t from = l->nchanges ? l->change[l->nchanges - 1].at : 0, n = 0;
	double *v = calloc(s->point.n, sizeof(*v));

	t->failed |= !v;
	for (size_t i = from; v && i + 1 < s->point.n; i++) {
		double x = trend_value(s, i, line);

		if (!isnan(x))
			v[n++] = x;
	}
	if (n)
		compare_side_runs(a, v, n);
	free(v);
	return n;
}

static void set_rounding(const struct compare_figure *f, struct compare_side *side)
{
	if (f->what == COMPARE_LAT_PERCENTILE && side->value > 0)
		side->rounding = compare_bucket_rounding(side->value);
}

/* Returns whether the line is a rate that the last document lacks: its job did no such I/O. */
static bool lost_rate(const struct trend_line *l)
{
	return isnan(l->last) && (l->figure.what == COMPARE_IOPS || l->figure.what == COMPARE_BW);
}

static void judge_line(struct trend *t, const struct trend_set *s, size_t line, struct compare_figure *f)
{
	const struct trend_line *l = &s->line.v[line];
	size_t n;

	*f = l->figure;
	n = set_stretch(t, s, line, &f->a);
	if (!isnan(l->last))
		compare_side_runs(&f->b, &l->last, 1);
	set_rounding(f, &f->a);
	set_rounding(f, &f->b);
	if (n && lost_rate(l)) {
		f->why = "the job did no such I/O in the last document";
	} else if (isnan(l->last)) {
		f->why = "the last document does not have this figure";
	} else if (n < 2) {
		f->why = n ? "only one document of this stretch is earlier" : "no document is earlier";
	} else {
		compare_side_pool(&f->b, &f->a, n);
		f->basis = COMPARE_BY_POOLED_RUNS;
	}
	f->a.known &= !isnan(l->last);
	compare_sides(&f->change, &f->a, &f->b, t->cfg.confidence);
	if (n && lost_rate(l))
		f->change = (struct compare_change){ .known = true, .change = -1 };
	f->limits = compare_limits(&f->b, t->cfg.confidence, &f->b_lo, &f->b_hi);
}

static bool is_lost(const struct trend_point *p, const char *job)
{
	for (size_t i = 0; i < p->nlost; i++)
		if (!strcmp(p->lost[i].job.name, job))
			return true;
	return false;
}

/* Adds the job of a line, with the lines of the job that follow it. Returns the number of the line after
   them. */
static size_t add_job(struct trend *t, size_t set, size_t line, struct compare *c)
{
	const struct trend_set *s = &t->set.v[set];
	const struct trend_line *l = &s->line.v[line];
	struct compare_job *job = &c->jobs[c->njobs];
	bool lost = is_lost(&s->point.v[s->point.n - 1], l->job);

	job->name = job_name(t, set, l->job);
	job->plain_name = l->plain_name;
	job->figures = arena_array(&t->mem, s->line.n, sizeof(*job->figures));
	t->failed |= !job->figures;
	for (; line < s->line.n && !t->failed && !strcmp(s->line.v[line].job, l->job); line++)
		judge_line(t, s, line, &job->figures[job->nfigures++]);
	c->njobs += !lost;
	return line;
}

static void add_lost(struct trend *t, size_t set, struct compare *c)
{
	const struct trend_set *s = &t->set.v[set];
	const struct trend_point *last = &s->point.v[s->point.n - 1];

	for (size_t i = 0; i < last->nlost; i++) {
		struct compare_lost lost = last->lost[i];

		lost.job.name = job_name(t, set, lost.job.name);
		t->failed |= !VEC_PUSH(&c->lost, lost);
	}
}

int trend_judge(struct trend *t, struct diag *d)
{
	struct compare *c = &t->judged;
	size_t lines = 0;

	c->cfg = t->cfg;
	for (size_t i = 0; i < t->set.n; i++)
		lines += t->set.v[i].line.n;
	c->jobs = arena_array(&t->mem, lines, sizeof(*c->jobs));
	if (!c->jobs)
		return diag_no_memory(d);
	for (size_t i = 0; i < t->set.n; i++) {
		if (!is_judged(t, &t->set.v[i]))
			continue;
		for (size_t line = 0; line < t->set.v[i].line.n && !t->failed;)
			line = add_job(t, i, line, c);
		add_lost(t, i, c);
	}
	return t->failed ? diag_no_memory(d) : compare_judge(c, d);
}
