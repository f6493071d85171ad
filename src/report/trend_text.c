/* trend_text.c: a trend as text. */
#include "trend_report.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include "compare_report.h"
#include "readable.h"
#include "screen_text.h"

#define CURVE 24 /* columns */

/* Adds text, aligned to the right. */
static void pad(struct strbuf *b, const char *text, int width)
{
	int blanks = width - (int)screen_columns(text, true);

	strbuf_printf(b, "%*s%s", blanks > 0 ? blanks : 0, "", text);
}

/* Returns the mean of the figures of one column of the curve, NAN if it has none. */
static double column_mean(const struct trend_set *s, size_t line, size_t column)
{
	size_t from = column * s->point.n / CURVE, to = (column + 1) * s->point.n / CURVE, n = 0;
	double sum = 0;

	for (size_t i = from; i < to || i == from; i++) {
		double v = trend_value(s, i, line);

		if (isnan(v))
			continue;
		sum += v;
		n++;
	}
	return n ? sum / (double)n : NAN;
}

/* Adds a line of eight heights, from the lowest mean to the highest one. */
static void put_curve(struct strbuf *b, const struct trend_set *s, size_t line)
{
	static const char *const height[] = {
		"\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83", "\xe2\x96\x84",
		"\xe2\x96\x85", "\xe2\x96\x86", "\xe2\x96\x87", "\xe2\x96\x88"
	};
	double v[CURVE], lo = INFINITY, hi = 0;

	for (size_t i = 0; i < CURVE; i++) {
		v[i] = column_mean(s, line, i);
		lo = fmin(lo, v[i]);
		hi = fmax(hi, v[i]);
	}
	for (size_t i = 0; i < CURVE; i++)
		strbuf_puts(b, isnan(v[i])
				       ? " "
				       : height[hi > lo ? (size_t)lround(7 * (v[i] - lo) / (hi - lo)) : 3]);
}

static int name_width(const struct trend_set *s)
{
	for (size_t i = 0; i < s->line.n; i++)
		if (s->line.v[i].figure.of_part)
			return COMPARE_PART_WIDTH;
	return COMPARE_NAME_WIDTH;
}

static void put_line(struct strbuf *b, const struct trend_set *s, size_t line)
{
	const struct trend_line *l = &s->line.v[line];
	enum compare_what what = l->figure.what;
	char name[COMPARE_NAME];

	strbuf_printf(b, "  %-*s", name_width(s), compare_figure_name(&l->figure, name));
	pad(b, compare_value(what, l->first).text, 12);
	pad(b, compare_value(what, l->now).text, 12);
	pad(b, l->nchanges ? compare_percent(l->now / l->first - 1).text : "", 9);
	pad(b, trend_noise(l).text, 8);
	pad(b, isnan(l->last) ? "-" : compare_value(what, l->last).text, 12);
	strbuf_puts(b, "  ");
	put_curve(b, s, line);
	strbuf_putc(b, '\n');
}

static void put_changes(struct strbuf *b, const struct trend *t, const struct trend_set *s)
{
	size_t at = trend_next_change(s, 0), steps;

	if (at < s->point.n)
		strbuf_puts(b, "\nChanges for good:\n");
	for (; at < s->point.n; at = trend_next_change(s, at)) {
		strbuf_puts(b, "  from ");
		trend_put_point(b, t, s, at);
		strbuf_puts(b, " on\n");
		for (size_t i = 0; i < s->line.n; i++) {
			const struct trend_change *c = trend_change_at(&s->line.v[i], at);

			if (!c)
				continue;
			strbuf_printf_plain(b, "    %s: ", s->line.v[i].job);
			trend_put_change(b, &s->line.v[i], c);
			strbuf_putc(b, '\n');
		}
		steps = 0;
		for (size_t i = 0; i < s->step.n; i++)
			if (trend_is_near(&s->step.v[i], at)) {
				strbuf_puts(b, steps++ ? "               " : "    with it:   ");
				trend_put_step(b, &s->step.v[i], at);
				strbuf_putc(b, '\n');
			}
		if (!steps)
			strbuf_puts(b, "    no setting in the documents changed near it\n");
	}
}

/* With a key: its values, in their order. */
static void put_keys(struct strbuf *b, const struct trend *t, const struct trend_set *s)
{
	for (size_t i = 0, end; t->by && i < s->point.n; i = end) {
		for (end = i + 1; end < s->point.n && !strcmp(s->point.v[end].key, s->point.v[i].key);)
			end++;
		strbuf_printf_plain(b, "  %s=%s", t->by, s->point.v[i].key);
		strbuf_printf(b, ": %zu document%s, the first of %s\n", end - i, end - i == 1 ? "" : "s",
			      readable_time(s->point.v[i].time_ms).text);
	}
}

static void put_set(struct strbuf *b, const struct trend *t, size_t number)
{
	const struct trend_set *s = &t->set.v[number];
	const char *job = NULL;

	strbuf_putc(b, '\n');
	if (t->set.n > 1)
		strbuf_printf(b, "Set %zu of jobs: ", number + 1);
	strbuf_printf(b, "%zu document%s, %s", s->point.n, s->point.n == 1 ? "" : "s",
		      readable_time(s->point.v[0].time_ms).text);
	if (s->point.n > 1)
		strbuf_printf(b, " to %s", readable_time(s->point.v[s->point.n - 1].time_ms).text);
	strbuf_putc(b, '\n');
	put_keys(b, t, s);
	for (size_t i = 0; i < s->line.n; i++) {
		if (!job || strcmp(job, s->line.v[i].job) != 0) {
			job = s->line.v[i].job;
			strbuf_printf_plain(b, "\n%s", job);
			strbuf_printf(b, "\n  %-*s%12s%12s%9s%8s%12s\n", name_width(s), "", "first", "now",
				      "change", "noise", "last");
		}
		put_line(b, s, i);
	}
	put_changes(b, t, s);
}

static void put_left_out(struct strbuf *b, const struct trend *t)
{
	if (t->left_out.n)
		strbuf_printf(b, "\nLeft out: %zu document%s or file%s; %zu document%s used.\n",
			      t->left_out.n, t->left_out.n == 1 ? "" : "s", t->left_out.n == 1 ? "" : "s",
			      t->documents, t->documents == 1 ? " is" : "s are");
	for (size_t i = 0; i < t->left_out.n; i++)
		strbuf_printf_plain(b, "  %s: %s\n", t->left_out.v[i].source,
				    trend_reason(&t->left_out.v[i]));
}

int report_trend_text(const struct trend *t, struct strbuf *b)
{
	trend_put_answer(b, t);
	for (size_t i = 0; i < t->set.n; i++)
		put_set(b, t, i);
	compare_put_verdicts(b, &t->judged);
	put_left_out(b, t);
	strbuf_putc(b, '\n');
	trend_put_methods(b, t);
	for (size_t i = 0; i < t->notes.count; i++)
		strbuf_printf(b, "note: %s\n", t->notes.line[i]);
	return b->failed ? -ENOMEM : 0;
}
