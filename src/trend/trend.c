/* trend.c: sorts documents into sets, and keeps their figures. */
#include "trend.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void trend_init(struct trend *t, const struct compare_cfg *cfg, const char *by)
{
	*t = (struct trend){ .cfg = *cfg, .by = by, .judges = cfg->nconditions > 0 };
	for (unsigned i = 0; i < COMPARE_SETTINGS; i++)
		t->cfg.allow[i] = i != COMPARE_RW && i != COMPARE_BS;
	t->cfg.list_lost = true;
}

static void free_result(struct result *r)
{
	result_free(r);
	free(r);
}

void trend_fini(struct trend *t)
{
	for (size_t i = 0; i < t->set.n; i++) {
		free_result(t->set.v[i].first);
		free(t->set.v[i].point.v);
		free(t->set.v[i].line.v);
		free(t->set.v[i].step.v);
	}
	free(t->set.v);
	free(t->left_out.v);
	notes_fini(&t->notes);
	compare_fini(&t->judged);
	arena_fini(&t->mem);
	*t = (struct trend){ 0 };
}

static const char *keep(struct trend *t, const char *text)
{
	const char *copy = text ? arena_strdup(&t->mem, text) : NULL;

	t->failed |= text && !copy;
	return copy;
}

void trend_leave_out(struct trend *t, const char *source, const char *why)
{
	struct trend_left_out left = { keep(t, source), keep(t, why) };

	t->failed |= !VEC_PUSH(&t->left_out, left);
}

/* ---- the figures of a document ---- */

static bool is_line(const struct trend_line *l, const struct compare_job *job, const struct compare_figure *f)
{
	const struct compare_figure *o = &l->figure;

	return o->what == f->what && o->dir == f->dir && o->mixed == f->mixed && o->kind == f->kind &&
	       o->of_part == f->of_part && o->part == f->part &&
	       !(fabs(o->percentile - f->percentile) > 1e-9) && !strcmp(l->job, job->name);
}

/* Returns the number of the line of the figure, which is new if the set has none. The lines of most documents
   are in one order, so the line after the last one is tried first. */
static size_t line_of(struct trend *t, struct trend_set *s, size_t last, const struct compare_job *job,
		      const struct compare_figure *f)
{
	struct trend_line new = { .figure = { .what = f->what,
					      .dir = f->dir,
					      .mixed = f->mixed,
					      .kind = f->kind,
					      .of_part = f->of_part,
					      .part = f->part,
					      .percentile = f->percentile } };

	for (size_t i = 0; i < s->line.n; i++) {
		size_t at = (last + 1 + i) % s->line.n;

		if (is_line(&s->line.v[at], job, f))
			return at;
	}
	new.job = keep(t, job->name);
	new.plain_name = keep(t, job->plain_name);
	t->failed |= !VEC_PUSH(&s->line, new);
	return s->line.n - 1;
}

static void keep_value(struct trend *t, struct trend_point *p, size_t line, double v)
{
	if (line >= p->nvalues) {
		double *more = arena_array(&t->mem, line + 16, sizeof(*more));

		t->failed |= !more;
		if (!more)
			return;
		if (p->nvalues)
			memcpy(more, p->value, p->nvalues * sizeof(*more));
		for (size_t i = p->nvalues; i < line + 16; i++)
			more[i] = NAN;
		p->value = more;
		p->nvalues = line + 16;
	}
	p->value[line] = v;
}

static void keep_figures(struct trend *t, struct trend_set *s, struct trend_point *p, const struct compare *c)
{
	size_t line = s->line.n;

	if (s->line.n)
		keep_value(t, p, s->line.n - 1, NAN);
	for (size_t i = 0; i < c->njobs && !t->failed; i++)
		for (size_t k = 0; k < c->jobs[i].nfigures && !t->failed; k++) {
			const struct compare_figure *f = &c->jobs[i].figures[k];

			if (!(f->b.value > 0))
				continue;
			line = line_of(t, s, line, &c->jobs[i], f);
			keep_value(t, p, line, f->b.value);
		}
}

/* ---- its settings ---- */

static bool same_settings(const struct trend_point *p, const struct compare *c)
{
	size_t k = 0;

	for (size_t i = 0; i < c->difference.n; i++) {
		const struct compare_difference *d = &c->difference.v[i];

		if (d->setting == COMPARE_SAME)
			continue;
		if (k == p->nsettings || strcmp(p->setting[k].name, d->name) != 0 ||
		    strcmp(p->setting[k].value, d->b) != 0 ||
		    strcmp(p->setting[k].job ? p->setting[k].job : "", d->job ? d->job : "") != 0)
			return false;
		k++;
	}
	return k == p->nsettings;
}

/* Most documents have the settings of the one before them, and share them with it. */
static void keep_settings(struct trend *t, const struct trend_set *s, struct trend_point *p,
			  const struct compare *c)
{
	if (s->point.n && same_settings(&s->point.v[s->point.n - 1], c)) {
		p->setting = s->point.v[s->point.n - 1].setting;
		p->nsettings = s->point.v[s->point.n - 1].nsettings;
		return;
	}
	p->setting = arena_array(&t->mem, c->difference.n + 1, sizeof(*p->setting));
	t->failed |= !p->setting;
	for (size_t i = 0; i < c->difference.n && !t->failed; i++) {
		const struct compare_difference *d = &c->difference.v[i];

		if (d->setting != COMPARE_SAME)
			p->setting[p->nsettings++] =
				(struct trend_setting){ keep(t, d->job), keep(t, d->name), keep(t, d->a),
							keep(t, d->b) };
	}
}

static void keep_lost(struct trend *t, struct trend_point *p, const struct compare *c)
{
	if (!c->lost.n)
		return;
	p->lost = arena_array(&t->mem, c->lost.n, sizeof(*p->lost));
	t->failed |= !p->lost;
	for (size_t i = 0; i < c->lost.n && !t->failed; i++) {
		struct compare_lost *lost = &p->lost[p->nlost++];

		*lost = c->lost.v[i];
		lost->job.name = keep(t, lost->job.name);
		lost->job.plain_name = keep(t, lost->job.plain_name);
		lost->why = keep(t, lost->why);
	}
}

/* ---- adding ---- */

/* Compares a document with the first one of a set, which may be itself. Returns 0, -ENOMEM, or -errno with d:
   it does not belong. */
static int compare_with(struct compare *c, const struct trend *t, const struct trend_set *s,
			const struct result *r, const char *source, struct diag *d)
{
	const struct result *first = s->first;
	const struct compare_runs a = { &first, &s->first_source, 1 }, b = { &r, &source, 1 };
	struct compare_cfg cfg = t->cfg;

	cfg.nconditions = 0;
	return compare_results(c, &a, &b, &cfg, d);
}

static void add_notes(struct trend *t, const struct trend_set *s, const struct compare *c, const char *source)
{
	size_t len = strlen(source);

	for (size_t i = 0; i < c->notes.count; i++)
		if (!s->point.n || !strncmp(c->notes.line[i], source, len))
			notes_add(&t->notes, "%s", c->notes.line[i]);
}

static void add_point(struct trend *t, struct trend_set *s, const struct result *r, const char *source,
		      const struct compare *c)
{
	struct trend_point p = { .source = source, .time_ms = r->timestamp_ms, .number = t->documents };

	p.key = t->by ? trend_key_value(&t->mem, r, t->by) : NULL;
	keep_figures(t, s, &p, c);
	keep_settings(t, s, &p, c);
	keep_lost(t, &p, c);
	add_notes(t, s, c, source);
	t->documents++;
	t->failed |= !VEC_PUSH(&s->point, p);
}

/* The series is not used: the noise of a trend is that between documents. */
static void drop_series(struct result *r)
{
	series_fini(&r->series.data);
	r->series = (struct result_series){ 0 };
}

/* Makes a set of a document that is the first of its kind. */
static void add_set(struct trend *t, struct result *r, const char *source)
{
	struct trend_set new = { .first = r, .first_source = source };
	struct compare c = { 0 };
	struct diag d = { 0 };

	if (compare_with(&c, t, &new, r, source, &d)) {
		trend_leave_out(t, source, diag_text(&d));
		free_result(r);
	} else if (t->set.n == TREND_SETS_MAX) {
		trend_leave_out(t, source, "its jobs are others than those of the first 64 sets of jobs");
		free_result(r);
	} else if (VEC_PUSH(&t->set, new)) {
		add_point(t, &t->set.v[t->set.n - 1], r, source, &c);
	} else {
		free_result(r);
		t->failed = true;
	}
	compare_fini(&c);
	diag_fini(&d);
}

static bool add_to_set(struct trend *t, struct trend_set *s, struct result *r, const char *source)
{
	struct compare c = { 0 };
	struct diag d = { 0 };
	int err = compare_with(&c, t, s, r, source, &d);

	if (!err)
		add_point(t, s, r, source, &c);
	t->failed |= err == -ENOMEM;
	compare_fini(&c);
	diag_fini(&d);
	return !err;
}

int trend_add(struct trend *t, struct result *r, const char *source)
{
	const char *name = keep(t, source);

	drop_series(r);
	if (t->by && !trend_key_value(&t->mem, r, t->by)) {
		char why[128];

		snprintf(why, sizeof(why), "it has no %.90s (--by)", t->by);
		trend_leave_out(t, source, why);
		t->without_key++;
		free_result(r);
		return t->failed ? -ENOMEM : 0;
	}
	for (size_t i = 0; i < t->set.n && !t->failed; i++)
		if (add_to_set(t, &t->set.v[i], r, name)) {
			free_result(r);
			return t->failed ? -ENOMEM : 0;
		}
	if (t->failed)
		free_result(r);
	else
		add_set(t, r, name);
	return t->failed ? -ENOMEM : 0;
}

/* ---- order ---- */

static int by_time(const void *a, const void *b)
{
	const struct trend_point *x = a, *y = b;

	if (x->first_ms != y->first_ms)
		return x->first_ms < y->first_ms ? -1 : 1;
	if (x->key && strcmp(x->key, y->key) != 0)
		return strcmp(x->key, y->key);
	if (x->time_ms != y->time_ms)
		return x->time_ms < y->time_ms ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static int by_key(const void *a, const void *b)
{
	const struct trend_point *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	return order ? order : (x->time_ms > y->time_ms) - (x->time_ms < y->time_ms);
}

/* Documents with one value of the key stand together; the values are in the order of their earliest ones. */
static void set_order(const struct trend *t, struct trend_set *s)
{
	struct trend_point *p = s->point.v;

	if (t->by)
		qsort(p, s->point.n, sizeof(*p), by_key);
	for (size_t i = 0; i < s->point.n && t->by; i++)
		p[i].first_ms = i && !strcmp(p[i].key, p[i - 1].key) ? p[i - 1].first_ms : p[i].time_ms;
	qsort(p, s->point.n, sizeof(*p), by_time);
}

static bool same_figures(const struct trend_point *a, const struct trend_point *b)
{
	size_t most = a->nvalues > b->nvalues ? a->nvalues : b->nvalues;

	for (size_t i = 0; i < most; i++) {
		double x = i < a->nvalues ? a->value[i] : NAN, y = i < b->nvalues ? b->value[i] : NAN;

		if (isnan(x) != isnan(y) || x < y || x > y)
			return false;
	}
	return a->time_ms == b->time_ms;
}

/* A copy of a document would count twice. */
static void drop_copies(struct trend *t, struct trend_set *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->point.n; i++) {
		const struct trend_point *p = &s->point.v[i];

		if (kept && same_figures(&s->point.v[kept - 1], p)) {
			const char *why = arena_printf(&t->mem, "it holds the same run as %s",
						       s->point.v[kept - 1].source);

			t->failed |= !why;
			trend_leave_out(t, p->source, why);
			t->documents--;
		} else {
			s->point.v[kept++] = *p;
		}
	}
	s->point.n = kept;
}

int trend_finish(struct trend *t, struct diag *d)
{
	int err = 0;

	for (size_t i = 0; i < t->set.n && !err; i++) {
		struct trend_set *s = &t->set.v[i];

		set_order(t, s);
		drop_copies(t, s);
		err = trend_find_lines(t, s);
	}
	if (err || t->failed)
		return diag_err(d, -ENOMEM, "out of memory");
	return t->judges ? trend_judge(t, d) : 0;
}

bool trend_fails(const struct trend *t)
{
	return t->judges && compare_fails(&t->judged);
}
