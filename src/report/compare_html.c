/* compare_html.c: a comparison as one HTML page. It holds the results of both sides, as the reports do. */
#include "compare_report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "html_page.h"
#include "strbuf.h"

/* Half the width of a plot in its units, and the largest change that a plot shows. */
#define HALF     80.0
#define MAX_PLOT 1.0

static void put_tile(struct strbuf *b, const char *class, const char *name, size_t n)
{
	strbuf_printf(b, "<div class=\"tile%s%s\"><dt>", *class && n ? " " : "", n ? class : "");
	html_printf(b, "%s</dt><dd class=\"v\">%zu</dd></div>\n", name, n);
}

static size_t count_states(const struct compare *c, enum compare_state state)
{
	size_t n = 0;

	for (size_t i = 0; i < c->verdict.n; i++)
		n += c->verdict.v[i].state == state;
	return n;
}

static void put_answer(struct strbuf *b, const struct compare *c)
{
	struct strbuf text = { 0 };

	strbuf_puts(b, "<section class=\"first\" aria-labelledby=\"answer\">\n<h2 id=\"answer\">Answer</h2>\n"
		       "<p class=\"answer\">");
	compare_put_sentences(&text, c, " ");
	html_text(b, strbuf_str(&text));
	strbuf_end(&text, b);
	strbuf_puts(b, "</p>\n<dl class=\"status\">\n");
	put_tile(b, "good", "Figures in which B is better", compare_count(c, 1));
	put_tile(b, "bad", "Figures in which B is worse", compare_count(c, -1));
	put_tile(b, "", "Figures without a difference that this data can show", compare_count(c, 0));
	if (c->verdict.n) {
		put_tile(b, "bad", "Conditions that fail", count_states(c, COMPARE_FAILS));
		put_tile(b, c->cfg.fail_unsure ? "bad" : "warn",
			 "Conditions that the figures meet, but the data does not show",
			 count_states(c, COMPARE_UNSURE));
		put_tile(b, c->cfg.allow_unjudged ? "warn" : "bad", "Conditions that cannot be judged",
			 count_states(c, COMPARE_UNJUDGED));
	}
	strbuf_puts(b, "</dl>\n</section>\n");
}

static void put_verdict_row(struct strbuf *b, const struct compare_verdict *v)
{
	char name[COMPARE_NAME];

	html_row(b, v->condition->text);
	html_cell(b, v->job->name);
	if (v->figure) {
		html_cell(b, compare_figure_name(v->figure, name));
		html_number(b, compare_measured(v).text);
	} else {
		html_cell(b, v->why);
		html_cell(b, NULL);
	}
	html_cell(b, compare_state_name(v->state));
	html_row_end(b);
}

void compare_put_verdicts_html(struct strbuf *b, const struct compare *c)
{
	static const char *const column[] = { "Condition", "Job", "Figure", "#Measured", "State" };

	if (!c->verdict.n)
		return;
	strbuf_puts(b, "<section aria-labelledby=\"conditions\">\n<h2 id=\"conditions\">Conditions</h2>\n");
	html_table(b, "The conditions of --fail-if", column, 5);
	for (size_t i = 0; i < c->verdict.n; i++)
		put_verdict_row(b, &c->verdict.v[i]);
	html_table_end(b);
	strbuf_puts(b, "</section>\n");
}

/* ---- the plot of an interval ---- */

/* Returns the change at the right end of the plots of a job: all its limits fit, up to MAX_PLOT. */
static double plot_end(const struct compare_job *job)
{
	double end = 0.01;

	for (size_t i = 0; i < job->nfigures; i++) {
		const struct compare_change *c = &job->figures[i].change;

		if (!c->interval)
			continue;
		end = fmax(end, fmin(MAX_PLOT, -c->lo));
		end = fmax(end, fmin(MAX_PLOT, c->hi));
		end = fmax(end, fmin(MAX_PLOT, fabs(c->change)));
	}
	return end;
}

/* Returns the position of a change; those beyond the ends are at the ends. */
static double plot_x(double change, double end)
{
	return HALF * (1 + fmax(-1, fmin(1, change / end)));
}

static void put_plot(struct strbuf *b, const struct compare_figure *f, double end)
{
	const struct compare_change *c = &f->change;
	const char *look = !c->shown                                      ? "same"
			   : (c->change > 0) == compare_more_is_better(f) ? "better"
									  : "worse";
	double from, to;

	html_cell_begin(b);
	if (c->interval) {
		from = plot_x(c->lo, end);
		to = plot_x(c->hi, end);
		strbuf_printf(b,
			      "<svg class=\"interval\" role=\"img\" viewBox=\"-4 0 168 16\" aria-label=\"%s",
			      compare_interval(f).text);
		strbuf_printf(b,
			      "\"><path class=\"zero\" d=\"M%.0f 0V16\"/><path class=\"%s\" d=\"M%.1f "
			      "8H%.1fM%.1f 4V12M%.1f 4V12\"/><circle class=\"%s\" cx=\"%.1f\" cy=\"8\" "
			      "r=\"3\"/></svg>",
			      HALF, look, from, to, from, to, look, plot_x(c->change, end));
	}
	html_cell_end(b);
}

static void put_figure_row(struct strbuf *b, const struct compare_figure *f, double end)
{
	char name[COMPARE_NAME];

	html_row(b, compare_figure_name(f, name));
	html_number(b, compare_value(f->what, f->a.value).text);
	html_number(b, compare_value(f->what, f->b.value).text);
	html_number(b, f->change.known ? compare_percent(f->change.change).text : "");
	html_number(b, compare_interval(f).text);
	put_plot(b, f, end);
	html_number(b, compare_detectable(f).text);
	strbuf_printf(b, "<td class=\"answer\">%s", compare_answer(f));
	html_cell_end(b);
	html_row_end(b);
}

static void put_compared_job(struct strbuf *b, const struct compare *c, size_t number)
{
	const struct compare_job *job = &c->jobs[number];
	double end = plot_end(job);
	char interval[32], plot[64], caption[64];
	const char *const column[] = { "Figure", "#A", "#B", "#Change", interval, plot, "#Detectable change",
				       "Answer" };

	snprintf(interval, sizeof(interval), "#%.4g%% interval", c->cfg.confidence * 100);
	snprintf(plot, sizeof(plot), "From -%.*f%% to +%.*f%%", end < 0.0995, end * 100, end < 0.0995,
		 end * 100);
	snprintf(caption, sizeof(caption), "Changes from A to B, job %zu", number + 1);
	html_printf(b, "<section aria-labelledby=\"job%zu\">\n<h2 id=\"job%zu\">%s</h2>\n", number + 1,
		    number + 1, job->name);
	if (job->nfigures) {
		html_table(b, caption, column, 8);
		for (size_t i = 0; i < job->nfigures; i++)
			put_figure_row(b, &job->figures[i], end);
		html_table_end(b);
		compare_put_reasons(b, job, html_text, "<p class=\"note\">No interval: ", ".</p>\n");
	} else {
		strbuf_puts(b, "<p>No I/O.</p>\n");
	}
	strbuf_puts(b, "</section>\n");
}

/* ---- other differences, and methods ---- */

static void put_sources(struct strbuf *b, const char *side, const struct compare_runs *runs)
{
	strbuf_printf(b, "<dt>%s</dt>", side);
	for (size_t i = 0; i < runs->n; i++)
		html_printf(b, "<dd>%s, %s</dd>\n", runs->source[i],
			    readable_time(runs->res[i]->timestamp_ms).text);
}

static void put_differences(struct strbuf *b, const struct compare *c)
{
	static const char *const column[] = { "Difference", "Job", "A", "B", "Run of B" };

	strbuf_puts(b, "<section aria-labelledby=\"differences\">\n<h2 id=\"differences\">Other "
		       "differences</h2>\n");
	if (c->difference.n) {
		html_table(b, "Settings and facts that differ", column, 5);
		for (size_t i = 0; i < c->difference.n; i++) {
			const struct compare_difference *d = &c->difference.v[i];

			html_row(b, d->name);
			html_cell(b, d->job);
			html_cell(b, d->a);
			html_cell(b, d->b);
			html_cell(b, d->run_b);
			html_row_end(b);
		}
		html_table_end(b);
	} else {
		strbuf_puts(b, "<p>The documents name no other difference between the runs.</p>\n");
	}
	strbuf_puts(b, "</section>\n");
}

static void put_only(struct html_notes *list, const char *side, const char *const *name, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		html_note_begin(list);
		strbuf_printf(list->b, "Only in %s, not compared: ", side);
		html_printf(list->b, "%s</li>\n", name[i]);
	}
}

static void put_note_list(struct strbuf *b, const struct compare *c)
{
	struct html_notes list = { .b = b };

	put_only(&list, "A", c->only_a.v, c->only_a.n);
	put_only(&list, "B", c->only_b.v, c->only_b.n);
	for (size_t i = 0; i < c->notes.count; i++)
		html_note(&list, c->notes.line[i]);
	html_notes_end(&list);
}

static void put_methods(struct strbuf *b, const struct compare *c)
{
	struct strbuf text = { 0 };

	compare_put_methods(&text, c);
	strbuf_puts(b,
		    "<section aria-labelledby=\"methods\">\n<h2 id=\"methods\">Methods</h2>\n<p>"
		    "\"Detectable change\" is the size of a true change that would be shown in four of five "
		    "comparisons.</p>\n");
	for (char *save = NULL, *line = text.text ? strtok_r(text.text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		html_printf(b, "<p>%s</p>\n", line);
	}
	strbuf_puts(b, "</section>\n");
	strbuf_end(&text, b);
}

/* Embeds the results of both sides, so that the page can be compared and reported again. */
static void embed(struct strbuf *b, const struct compare *c)
{
	size_t runs = c->a.n + c->b.n;
	const struct result **res = calloc(runs, sizeof(*res));

	b->failed |= !res;
	for (size_t i = 0; res && i < runs; i++)
		res[i] = i < c->a.n ? c->a.res[i] : c->b.res[i - c->a.n];
	if (res)
		html_embed(res, runs, b->len, b);
	free(res);
}

int report_compare_html(const struct compare *c, struct strbuf *b)
{
	struct strbuf title = { 0 };

	strbuf_printf(&title, "Comparison of %s and %s", c->a.source[0], c->b.source[0]);
	report_html_page_begin(b, strbuf_str(&title), "Changes are from A to B.");
	strbuf_puts(b, "<dl class=\"facts\">\n");
	put_sources(b, "A", &c->a);
	put_sources(b, "B", &c->b);
	strbuf_puts(b, "</dl>\n");
	put_note_list(b, c);
	put_answer(b, c);
	compare_put_verdicts_html(b, c);
	for (size_t i = 0; i < c->njobs; i++)
		put_compared_job(b, c, i);
	put_differences(b, c);
	put_methods(b, c);
	strbuf_puts(b, "</main>\n");
	embed(b, c);
	report_html_page_end(b, REPORT_HTML_DATA);
	strbuf_end(&title, b);
	return b->failed ? -ENOMEM : 0;
}
