/* compare_condition.c: the conditions of --fail-if.

	[[JOB.]DIRECTION.][resp.]FIGURE (<|>) LIMIT

   With a percent sign, or with + or -, the limit is on the change from A to B; otherwise it is on the figure
   of B. */
#include "compare.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "limit.h"
#include "nearest.h"
#include "vec.h"

static const char *const figures[] = { "iops", "bw", "mean", "max", "cpu", NULL };
static const enum compare_what figure_what[] = { COMPARE_IOPS, COMPARE_BW, COMPARE_LAT_MEAN, COMPARE_LAT_MAX,
						 COMPARE_CPU };
static const char *const directions[] = { "read", "write", "trim", "sync", "mixed", NULL };
static const unsigned direction_dir[] = { DIR_READ, DIR_WRITE, DIR_TRIM, DIR_SYNC, DIR_READ };

#define FORM                                                                                                \
	"FIGURE > LIMIT or FIGURE < LIMIT, such as 'p99 > +10%%', 'read.p99.9 > 2ms' or 'JOB.write.iops < " \
	"-5%%'"

/* Parses the figure at the end of the name and returns its beginning; NULL if there is no figure. */
static const char *take_figure(struct compare_condition *c, const char *name, const char *end)
{
	const char *at;

	for (unsigned i = 0; figures[i]; i++) {
		size_t len = strlen(figures[i]);

		if ((size_t)(end - name) >= len && !strncmp(end - len, figures[i], len) &&
		    (end - len == name || end[-(ptrdiff_t)len - 1] == '.')) {
			c->what = figure_what[i];
			return end - len;
		}
	}
	at = limit_percentile(name, end, &c->percentile);
	if (at)
		c->what = COMPARE_LAT_PERCENTILE;
	return at;
}

static int bad_figure(const char *text, const char *name, const char *end, struct diag *d)
{
	const char *at = end, *near;
	char word[64];

	while (at > name && at[-1] != '.')
		at--;
	snprintf(word, sizeof(word), "%.*s", (int)(end - at), at);
	near = nearest_word(figures, word);
	if (limit_has_comparison(name, end))
		return diag_err(
			d, -EINVAL,
			"--fail-if='%s': a condition is one comparison; give the option once for each "
			"of them",
			text);
	if (near)
		return diag_err(d, -EINVAL, "--fail-if='%s': '%s' is not a figure; did you mean %s?", text,
				word, near);
	return diag_err(
		d, -EINVAL,
		"--fail-if='%s': '%s' is not a figure; figures are iops, bw, mean, max, cpu, and percentiles "
		"such as p50, p99 and p99.9",
		text, word);
}

/* Parses the part between a direction and the figure, and returns its beginning. Alone, the word is a job. */
static const char *take_part(struct compare_condition *c, const char *name, const char *end)
{
	int part, dir;
	const char *at = limit_word(where_part_name, name, end, &part);

	limit_word(directions, name, at, &dir);
	if (part < 0 || dir < 0 || c->resp)
		return end;
	c->part = (enum where_part)part;
	return at;
}

static int parse_name(struct compare_condition *c, const char *name, const char *end, struct diag *d)
{
	static const char *const resp[] = { "resp", NULL };
	const char *at = take_figure(c, name, end);
	int found;

	if (!at)
		return bad_figure(c->text, name, end, d);
	at = limit_word(resp, name, at, &found);
	c->resp = found == 0;
	at = take_part(c, name, at);
	at = limit_word(directions, name, at, &found);
	c->dir = found < 0 ? DIR_COUNT : direction_dir[found];
	c->mixed = found >= 0 && !strcmp(directions[found], "mixed");
	if (at == name)
		return 0;
	c->job = strndup(name, (size_t)(at - 1 - name));
	return c->job ? 0 : diag_err(d, -ENOMEM, "out of memory");
}

static enum limit_unit unit_of(enum compare_what what)
{
	return what == COMPARE_IOPS ? LIMIT_RATE : what == COMPARE_BW ? LIMIT_BW : LIMIT_TIME;
}

/* Parses the number and the unit of a limit without its sign. Returns 0, or -EINVAL. */
static int scale_limit(struct compare_condition *c, const char *text)
{
	const char *unit = limit_number(text, &c->limit);

	if (!unit || strcmp(unit, "%"))
		return limit_parse(unit_of(c->what), text, &c->limit);
	c->kind = COMPARE_RELATIVE;
	c->limit /= 100;
	return 0;
}

static int parse_limit(struct compare_condition *c, const char *s, struct diag *d)
{
	const char *example;
	bool negative = *s == '-', sign = negative || *s == '+';

	s += sign;
	c->kind = sign ? COMPARE_DELTA : COMPARE_FIGURE;
	if (c->what == COMPARE_IOPS)
		example = "+10%, -500 or 20k";
	else if (c->what == COMPARE_BW)
		example = "-10%, -50M or 200M (bytes per second)";
	else
		example = "+10%, +50us or 2ms";
	if (scale_limit(c, s))
		return diag_err(d, -EINVAL, "--fail-if='%s': '%s' is not a limit for this figure; try %s",
				c->text, s - sign, example);
	if (negative)
		c->limit = -c->limit;
	if (c->kind == COMPARE_RELATIVE && c->limit <= -1 && !c->above)
		return diag_err(d, -EINVAL, "--fail-if='%s': a figure cannot fall by 100%% or more", c->text);
	return 0;
}

int compare_condition_parse(struct compare_condition *c, const char *text, struct diag *d)
{
	const char *name = text + strspn(text, " "), *op = text + strlen(text), *end, *limit;
	char *copy, *last;
	int err;

	*c = (struct compare_condition){ .text = text, .part = WHERE_NAMES };
	/* Finds the last < or >, because the name of a job may contain these characters. */
	while (op > name && op[-1] != '<' && op[-1] != '>')
		op--;
	for (end = op > name ? --op : name; end > name && end[-1] == ' ';)
		end--;
	if (end == name)
		return diag_err(d, -EINVAL, "--fail-if='%s': a condition has the form " FORM, text);
	c->above = *op == '>';
	limit = op + 1 + (op[1] == '=');
	limit += strspn(limit, " ");
	err = parse_name(c, name, end, d);
	copy = err ? NULL : strdup(limit);
	if (!err && !copy)
		err = diag_err(d, -ENOMEM, "out of memory");
	for (last = copy ? copy + strlen(copy) : NULL; last && last > copy && last[-1] == ' ';)
		*--last = '\0';
	if (!err)
		err = parse_limit(c, copy, d);
	free(copy);
	if (err)
		compare_condition_fini(c);
	return err;
}

void compare_condition_fini(struct compare_condition *c)
{
	free((char *)c->job);
	c->job = NULL;
}

/* ---- judging ---- */

static bool names_job(const struct compare_condition *c, const struct compare_job *job)
{
	return !c->job || !strcmp(c->job, job->name) || !strcmp(c->job, job->plain_name);
}

static bool condition_fits(const struct compare_condition *c, const struct compare_job *job,
			   const struct compare_figure *f)
{
	bool latency = f->what >= COMPARE_LAT_MEAN && f->what <= COMPARE_LAT_MAX;

	if (!names_job(c, job))
		return false;
	if (c->dir != DIR_COUNT && c->dir != f->dir)
		return false;
	if (c->dir == DIR_READ && c->mixed != f->mixed)
		return false;
	/* A condition without a direction is not on syncs. */
	if (c->dir == DIR_COUNT && f->dir == DIR_SYNC)
		return false;
	if (latency && c->resp != (f->kind == LAT_RESP))
		return false;
	if (c->part != (f->of_part ? f->part : WHERE_NAMES))
		return false;
	return c->what == f->what &&
	       (f->what != COMPARE_LAT_PERCENTILE || fabs(c->percentile - f->percentile) < 1e-9);
}

/* A condition on the figure of B fails if the whole interval of the figure is beyond the limit. Without an
   interval the figure alone decides. */
static enum compare_state judge_figure(const struct compare_condition *c, const struct compare_figure *f)
{
	double v = f->b.value;
	bool rate = f->what == COMPARE_IOPS || f->what == COMPARE_BW;

	if (!(v > 0) && !rate)
		return COMPARE_UNJUDGED;
	if (c->above ? v <= c->limit : v >= c->limit)
		return COMPARE_PASSES;
	if (f->limits && (c->above ? f->b_lo <= c->limit : f->b_hi >= c->limit))
		return COMPARE_UNSURE;
	return COMPARE_FAILS;
}

/* A condition on a change fails if the change is beyond the limit and the data shows a change in this
   direction: the interval does not contain 0. If the limit is on the other side of 0, as in "iops < +5%", the
   whole interval must be beyond the limit. */
static enum compare_state judge_value(const struct compare_condition *c, const struct compare_figure *f)
{
	double limit = c->kind == COMPARE_DELTA && f->a.value > 0 ? c->limit / f->a.value : c->limit;

	if (c->kind == COMPARE_FIGURE)
		return judge_figure(c, f);
	if (!f->change.known)
		return COMPARE_UNJUDGED;
	if (c->above ? f->change.change <= limit : f->change.change >= limit)
		return COMPARE_PASSES;
	/* B has lost all of it, which no sampling error explains. */
	if (f->change.change <= -1)
		return COMPARE_FAILS;
	if (!f->change.interval)
		return COMPARE_UNJUDGED;
	if (c->above)
		return f->change.lo > fmin(limit, 0) ? COMPARE_FAILS : COMPARE_UNSURE;
	return f->change.hi < fmax(limit, 0) ? COMPARE_FAILS : COMPARE_UNSURE;
}

/* Returns whether the condition is about a job that B has lost, or about all jobs of its group. */
static bool covers_lost(const struct compare_condition *c, const struct compare_lost *lost)
{
	char all[48];

	snprintf(all, sizeof(all), "all jobs of group %u", lost->group);
	if (!names_job(c, &lost->job) && strcmp(c->job, "all jobs") && strcmp(c->job, all))
		return false;
	if (c->mixed)
		return lost->mixed;
	return c->dir == DIR_COUNT || lost->dir[c->dir];
}

/* Returns what stands in place of a job's name, as the rest of an error; "" if that is not known. */
static const char *reason_of(const char *job)
{
	const char *dot = strrchr(job, '.'), *last = dot ? dot + 1 : job;

	if (limit_has_comparison(job, job + strlen(job)))
		return "; a condition is one comparison: give the option once for each of them";
	if (limit_nearest_kind(last))
		return "; a latency has no kind but resp: write read.p99 or read.resp.p99";
	if (word_find(where_part_name, last, strlen(last)) >= 0)
		return "; a part of the latency stands behind its direction, as in read.device.p99";
	return "";
}

static int fits_nothing(const struct compare *c, const struct compare_condition *cond, struct diag *d)
{
	const char *near = NULL;
	const char **names = calloc(c->njobs + 1, sizeof(*names));

	for (size_t i = 0; names && i < c->njobs; i++) {
		names[i] = c->jobs[i].plain_name;
		if (cond->job && !strcmp(cond->job, names[i])) {
			free(names);
			return diag_err(d, -EINVAL, "--fail-if='%s': job '%s' has no such figure", cond->text,
					cond->job);
		}
	}
	if (cond->job && names)
		near = nearest_word(names, cond->job);
	free(names);
	if (near)
		return diag_err(d, -EINVAL, "--fail-if='%s': no job is called '%s'; did you mean '%s'?",
				cond->text, cond->job, near);
	if (cond->job)
		return diag_err(d, -EINVAL, "--fail-if='%s': no job is called '%s'%s", cond->text, cond->job,
				reason_of(cond->job));
	return diag_err(d, -EINVAL, "--fail-if='%s': no job has such a figure", cond->text);
}

static void judge_job(struct compare *c, const struct compare_condition *cond, const struct compare_job *job)
{
	struct compare_verdict v = { .condition = cond, .job = job };

	for (size_t f = 0; f < job->nfigures; f++) {
		v.figure = &job->figures[f];
		if (!condition_fits(cond, job, v.figure))
			continue;
		v.state = judge_value(cond, v.figure);
		v.why = NULL;
		if (v.state == COMPARE_UNJUDGED)
			v.why = v.figure->why ? v.figure->why : "it has no interval";
		c->failed |= !VEC_PUSH(&c->verdict, v);
	}
}

/* A lost job fails each condition that is about it. */
static void judge_lost(struct compare *c, const struct compare_condition *cond)
{
	for (size_t i = 0; i < c->lost.n; i++) {
		const struct compare_lost *lost = &c->lost.v[i];
		struct compare_verdict v = { cond, &lost->job, NULL, COMPARE_FAILS, lost->why };

		if (covers_lost(cond, lost))
			c->failed |= !VEC_PUSH(&c->verdict, v);
	}
}

int compare_judge(struct compare *c, struct diag *d)
{
	for (size_t i = 0; i < c->cfg.nconditions; i++) {
		const struct compare_condition *cond = &c->cfg.conditions[i];
		size_t had = c->verdict.n;

		for (size_t k = 0; k < c->njobs; k++)
			judge_job(c, cond, &c->jobs[k]);
		judge_lost(c, cond);
		if (c->failed)
			return diag_err(d, -ENOMEM, "out of memory");
		if (c->verdict.n == had)
			return fits_nothing(c, cond, d);
	}
	return 0;
}

bool compare_verdict_fails(const struct compare *c, const struct compare_verdict *v)
{
	return v->state == COMPARE_FAILS || (v->state == COMPARE_UNSURE && c->cfg.fail_unsure) ||
	       (v->state == COMPARE_UNJUDGED && !c->cfg.allow_unjudged);
}

bool compare_fails(const struct compare *c)
{
	for (size_t i = 0; i < c->verdict.n; i++)
		if (compare_verdict_fails(c, &c->verdict.v[i]))
			return true;
	return false;
}
