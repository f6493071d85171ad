/* compare_text.c: a comparison as text. */
#include "compare_report.h"

#include <errno.h>
#include <stdio.h>
#include "screen_text.h"
#include "strbuf.h"
#include "text.h"

/* Adds text, aligned to the right. */
static void pad(struct strbuf *b, const char *text, int width)
{
	int blanks = width - (int)screen_columns(text, true);

	strbuf_printf(b, "%*s%s", blanks > 0 ? blanks : 0, "", text);
}

static void put_sources(struct strbuf *b, const char *side, const struct compare_runs *runs)
{
	for (size_t i = 0; i < runs->n; i++) {
		strbuf_puts(b, i ? "   " : side);
		strbuf_printf_plain(b, "%s\n", runs->source[i]);
	}
}

void report_compare_differences(const struct compare *c, struct strbuf *b)
{
	if (c->difference.n)
		strbuf_puts(b, "Differences beside the figures:\n");
	for (size_t i = 0; i < c->difference.n; i++) {
		const struct compare_difference *d = &c->difference.v[i];

		strbuf_puts(b, "  ");
		if (d->job)
			strbuf_printf_plain(b, "%s: ", d->job);
		strbuf_printf_plain(b, "%s: %s%s%s", d->name, d->a,
				    d->setting == COMPARE_SAME ? " and " : " -> ", d->b);
		if (d->setting != COMPARE_SAME && (c->a.n > 1 || c->b.n > 1))
			strbuf_printf_plain(b, " (%s)", d->run_b);
		strbuf_putc(b, '\n');
	}
}

static void put_only(struct strbuf *b, const char *side, const char *const *name, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		strbuf_printf(b, "Only in %s, not compared: ", side);
		strbuf_printf_plain(b, "%s\n", name[i]);
	}
}

static int name_width(const struct compare_job *job)
{
	for (size_t i = 0; i < job->nfigures; i++)
		if (job->figures[i].of_part)
			return COMPARE_PART_WIDTH;
	return COMPARE_NAME_WIDTH;
}

static void put_figure(struct strbuf *b, const struct compare_figure *f, int width)
{
	char name[COMPARE_NAME];

	strbuf_printf(b, "  %-*s", width, compare_figure_name(f, name));
	pad(b, compare_value(f->what, f->a.value).text, 12);
	pad(b, compare_value(f->what, f->b.value).text, 12);
	pad(b, f->change.known ? compare_percent(f->change.change).text : "", 9);
	pad(b, compare_interval(f).text, 20);
	pad(b, compare_detectable(f).text, 8);
	strbuf_printf(b, "  %s\n", compare_answer(f));
}

static void put_job(struct strbuf *b, const struct compare *c, const struct compare_job *job)
{
	char interval[32];

	snprintf(interval, sizeof(interval), "%.4g%% interval", c->cfg.confidence * 100);
	strbuf_printf_plain(b, "\n%s", job->name);
	strbuf_printf(b, "\n  %-*s%12s%12s%9s%20s%8s\n", name_width(job), "", "A", "B", "change", interval,
		      "shows");
	for (size_t i = 0; i < job->nfigures; i++)
		put_figure(b, &job->figures[i], name_width(job));
	compare_put_reasons(b, job, strbuf_plain, "  No interval: ", ".\n");
	if (!job->nfigures)
		strbuf_puts(b, "  no I/O\n");
}

void compare_put_verdicts(struct strbuf *b, const struct compare *c)
{
	char name[COMPARE_NAME];

	if (c->verdict.n)
		strbuf_puts(b, "\nConditions (--fail-if):\n");
	for (size_t i = 0; i < c->verdict.n; i++) {
		const struct compare_verdict *v = &c->verdict.v[i];

		strbuf_printf(b, "  %-17s", compare_state_name(v->state));
		strbuf_printf_plain(b, "%s: %s", v->condition->text, v->job->name);
		if (v->figure)
			strbuf_printf(b, " %s: %s", compare_figure_name(v->figure, name),
				      compare_measured(v).text);
		else
			strbuf_printf_plain(b, ": %s", v->why);
		strbuf_putc(b, '\n');
	}
}

int report_compare_text(const struct compare *c, struct strbuf *b)
{
	compare_put_sentences(b, c, "\n");
	strbuf_puts(b, "\n\n");
	put_sources(b, "A: ", &c->a);
	put_sources(b, "B: ", &c->b);
	if (c->difference.n)
		strbuf_putc(b, '\n');
	report_compare_differences(c, b);
	put_only(b, "A", c->only_a.v, c->only_a.n);
	put_only(b, "B", c->only_b.v, c->only_b.n);
	for (size_t i = 0; i < c->njobs; i++)
		put_job(b, c, &c->jobs[i]);
	compare_put_verdicts(b, c);
	strbuf_printf(
		b,
		"\nB is better in %zu figure%s and worse in %zu; %zu have no difference that this data can "
		"show.\n"
		"The column \"shows\" has the size of a true change that would be shown in four of five "
		"comparisons.\n",
		compare_count(c, 1), compare_count(c, 1) == 1 ? "" : "s", compare_count(c, -1),
		compare_count(c, 0));
	compare_put_methods(b, c);
	for (size_t i = 0; i < c->notes.count; i++)
		strbuf_printf(b, "note: %s\n", c->notes.line[i]);
	return b->failed ? -ENOMEM : 0;
}
