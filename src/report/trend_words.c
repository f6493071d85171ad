/* trend_words.c: words and numbers of a trend. */
#include "trend_report.h"

#include <stdio.h>
#include <string.h>
#include "change_points.h"
#include "compare_report.h"
#include "readable.h"

size_t trend_next_change(const struct trend_set *s, size_t after)
{
	size_t next = s->point.n;

	for (size_t i = 0; i < s->line.n; i++)
		for (size_t k = 0; k < s->line.v[i].nchanges; k++) {
			size_t at = s->line.v[i].change[k].at;

			if (at > after && at < next)
				next = at;
		}
	return next;
}

const struct trend_change *trend_change_at(const struct trend_line *l, size_t at)
{
	for (size_t k = 0; k < l->nchanges; k++)
		if (l->change[k].at == at)
			return &l->change[k];
	return NULL;
}

size_t trend_changed_lines(const struct trend_set *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->line.n; i++)
		n += s->line.v[i].nchanges > 0;
	return n;
}

struct short_text trend_noise(const struct trend_line *l)
{
	struct short_text t = { "-" };

	if (l->known > 1)
		snprintf(t.text, sizeof(t.text), "%.*f%%", l->noise < 0.00995 ? 2 : l->noise < 0.9995,
			 l->noise * 100);
	return t;
}

void trend_put_point(struct strbuf *b, const struct trend *t, const struct trend_set *s, size_t at)
{
	const struct trend_point *p = &s->point.v[at];

	if (t->by)
		strbuf_printf_plain(b, "%s, ", p->key);
	strbuf_printf_plain(b, "%s, %s", readable_time(p->time_ms).text, p->source);
	strbuf_printf(b, " (document %zu of %zu)", at + 1, s->point.n);
}

void trend_put_change(struct strbuf *b, const struct trend_line *l, const struct trend_change *c)
{
	char name[COMPARE_NAME];

	strbuf_printf(b, "%s %s -> %s (%s)", compare_figure_name(&l->figure, name),
		      compare_value(l->figure.what, c->before).text,
		      compare_value(l->figure.what, c->after).text,
		      compare_percent(c->after / c->before - 1).text);
}

void trend_put_step(struct strbuf *b, const struct trend_step *step, size_t at)
{
	size_t away = step->at > at ? step->at - at : at - step->at;

	if (step->setting.job)
		strbuf_printf_plain(b, "%s: ", step->setting.job);
	strbuf_printf_plain(b, "%s: %s -> %s", step->setting.name, step->setting.usual, step->setting.value);
	if (away)
		strbuf_printf(b, " (%zu document%s %s)", away, away == 1 ? "" : "s",
			      step->at > at ? "later" : "earlier");
}

bool trend_is_near(const struct trend_step *step, size_t at)
{
	return step->at + TREND_NEAR >= at && step->at <= at + TREND_NEAR;
}

const char *trend_reason(const struct trend_left_out *l)
{
	size_t len = strlen(l->source);

	return !strncmp(l->why, l->source, len) && l->why[len] == ':' ? l->why + len + 2 : l->why;
}

static void put_last_change(struct strbuf *b, const struct trend *t, const struct trend_set *s)
{
	size_t at = 0, next;

	while ((next = trend_next_change(s, at)) < s->point.n)
		at = next;
	strbuf_puts(b, ", last at ");
	trend_put_point(b, t, s, at);
}

void trend_put_answer(struct strbuf *b, const struct trend *t)
{
	for (size_t i = 0; i < t->set.n; i++) {
		const struct trend_set *s = &t->set.v[i];
		size_t changed = trend_changed_lines(s);

		if (t->set.n > 1)
			strbuf_printf(b, "Set %zu: ", i + 1);
		if (changed)
			strbuf_printf(b, "%zu of %zu figures changed for good in %zu documents", changed,
				      s->line.n, s->point.n);
		else if (s->point.n < CHANGE_POINTS_SERIES)
			strbuf_printf(b, "%zu document%s cannot show a lasting change: it takes %d or more",
				      s->point.n, s->point.n == 1 ? "" : "s", CHANGE_POINTS_SERIES);
		else
			strbuf_printf(b, "none of %zu figures changed for good in %zu documents", s->line.n,
				      s->point.n);
		if (changed)
			put_last_change(b, t, s);
		strbuf_puts(b, ".\n");
	}
}

void trend_put_methods(struct strbuf *b, const struct trend *t)
{
	strbuf_printf(b,
		      "A figure changed for good where the ranks of the documents before and after differ by "
		      "more than in 999 of 1,000 series without a change, and at least %d documents lie on "
		      "each side. "
		      "A single document counts no more if it is far from the others.\n",
		      CHANGE_POINTS_LEAST);
	strbuf_puts(
		b,
		"A stretch is the documents between two changes. First and now are the medians of the first "
		"and the last stretch. Noise is the typical distance of a document from the median of its "
		"stretch (1.4826 times the median distance).\n");
	if (t->judges)
		strbuf_puts(
			b, "Conditions compare the last document with those before it since the last change, "
			   "which also show how much single documents vary.\n");
}
