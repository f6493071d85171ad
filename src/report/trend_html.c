/* trend_html.c: a trend as one HTML page. */
#include "trend_report.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include "compare_report.h"
#include "html_page.h"
#include "readable.h"

/* Adds the lines of a text, each as a paragraph. */
static void put_paragraphs(struct strbuf *b, struct strbuf *text, const char *open)
{
	for (char *save = NULL, *line = text->text ? strtok_r(text->text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		strbuf_puts(b, open);
		html_printf(b, "%s</p>\n", line);
	}
}

static void open_section(struct strbuf *b, const char *look, const char *id, const char *title)
{
	strbuf_printf(b, "<section%s aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n", look, id, id, title);
}

/* ---- answer ---- */

static void put_nav(struct strbuf *b, const struct trend *t)
{
	strbuf_puts(b, "<nav aria-label=\"Sections\">\n<ul>\n");
	if (t->set.n == 1)
		strbuf_puts(b, "<li><a href=\"#set1\">Figures</a></li>\n");
	for (size_t i = 0; t->set.n > 1 && i < t->set.n; i++)
		strbuf_printf(b, "<li><a href=\"#set%zu\">Set %zu</a></li>\n", i + 1, i + 1);
	if (t->judged.verdict.n)
		strbuf_puts(b, "<li><a href=\"#conditions\">Conditions</a></li>\n");
	if (t->left_out.n)
		strbuf_puts(b, "<li><a href=\"#left-out\">Left out</a></li>\n");
	strbuf_puts(b, "<li><a href=\"#methods\">Methods</a></li>\n</ul>\n</nav>\n");
}

static void put_answer(struct strbuf *b, const struct trend *t)
{
	struct strbuf text = { 0 };

	open_section(b, " class=\"first\"", "answer", "Answer");
	trend_put_answer(&text, t);
	put_paragraphs(b, &text, "<p class=\"answer\">");
	strbuf_end(&text, b);
	strbuf_puts(b, "</section>\n");
}

/* ---- a set ---- */

static void put_figure_row(struct strbuf *b, const struct trend_line *l)
{
	enum compare_what what = l->figure.what;
	char name[COMPARE_NAME];

	html_row(b, l->job);
	html_cell(b, compare_figure_name(&l->figure, name));
	html_number(b, compare_value(what, l->first).text);
	html_number(b, compare_value(what, l->now).text);
	html_number(b, l->nchanges ? compare_percent(l->now / l->first - 1).text : "");
	html_number(b, trend_noise(l).text);
	html_number(b, isnan(l->last) ? "-" : compare_value(what, l->last).text);
	html_cell_begin(b);
	for (size_t i = 0; i < l->nchanges; i++)
		strbuf_printf(b, "%s%zu", i ? ", " : "document ", l->change[i].at + 1);
	html_cell_end(b);
	html_row_end(b);
}

static void put_figures(struct strbuf *b, const struct trend_set *s, size_t number)
{
	static const char *const column[] = { "Job",     "Figure", "#First", "#Now",
					      "#Change", "#Noise", "#Last",  "Changed for good at" };
	struct strbuf caption = { 0 };

	strbuf_printf(&caption, "The figures of set %zu", number);
	html_table(b, strbuf_str(&caption), column, 8);
	strbuf_end(&caption, b);
	for (size_t i = 0; i < s->line.n; i++)
		put_figure_row(b, &s->line.v[i]);
	html_table_end(b);
}

static void put_near_settings(struct strbuf *b, const struct trend_set *s, size_t at)
{
	size_t n = 0;

	for (size_t i = 0; i < s->step.n; i++) {
		struct strbuf text = { 0 };

		if (!trend_is_near(&s->step.v[i], at))
			continue;
		trend_put_step(&text, &s->step.v[i], at);
		strbuf_puts(b, n++ ? "<br>" : "");
		html_text(b, strbuf_str(&text));
		strbuf_end(&text, b);
	}
	if (!n)
		strbuf_puts(b, "no setting that the documents name");
}

static void put_change_row(struct strbuf *b, const struct trend *t, const struct trend_set *s, size_t at)
{
	struct strbuf point = { 0 };
	size_t n = 0;

	trend_put_point(&point, t, s, at);
	html_row(b, strbuf_str(&point));
	strbuf_end(&point, b);
	html_cell_begin(b);
	for (size_t i = 0; i < s->line.n; i++) {
		const struct trend_change *change = trend_change_at(&s->line.v[i], at);
		struct strbuf text = { 0 };

		if (!change)
			continue;
		trend_put_change(&text, &s->line.v[i], change);
		html_printf(b, n++ ? "<br>%s: " : "%s: ", s->line.v[i].job);
		html_text(b, strbuf_str(&text));
		strbuf_end(&text, b);
	}
	html_cell_end(b);
	html_cell_begin(b);
	put_near_settings(b, s, at);
	html_cell_end(b);
	html_row_end(b);
}

static void put_changes(struct strbuf *b, const struct trend *t, const struct trend_set *s, size_t number)
{
	static const char *const column[] = { "From", "Figures", "Settings that changed with it" };
	size_t at = trend_next_change(s, 0);
	struct strbuf caption = { 0 };

	if (at == s->point.n)
		return;
	strbuf_printf(&caption, "Changes for good in set %zu", number);
	html_table(b, strbuf_str(&caption), column, 3);
	strbuf_end(&caption, b);
	for (; at < s->point.n; at = trend_next_change(s, at))
		put_change_row(b, t, s, at);
	html_table_end(b);
}

/* With a key: its values, in their order. */
static void put_keys(struct strbuf *b, const struct trend *t, const struct trend_set *s, size_t number)
{
	const char *const column[] = { t->by, "#Documents", "Numbers", "First" };
	struct strbuf caption = { 0 };

	strbuf_printf(&caption, "The documents of set %zu", number);
	html_table(b, strbuf_str(&caption), column, 4);
	strbuf_end(&caption, b);
	for (size_t i = 0, end; i < s->point.n; i = end) {
		for (end = i + 1; end < s->point.n && !strcmp(s->point.v[end].key, s->point.v[i].key);)
			end++;
		html_row(b, s->point.v[i].key);
		html_exact(b, end - i);
		html_cell_begin(b);
		strbuf_printf(b, "%zu to %zu", i + 1, end);
		html_cell_end(b);
		html_cell(b, readable_time(s->point.v[i].time_ms).text);
		html_row_end(b);
	}
	html_table_end(b);
}

static void put_set(struct strbuf *b, const struct trend *t, size_t i, struct trend_charts *charts)
{
	const struct trend_set *s = &t->set.v[i];

	strbuf_printf(b, "<section aria-labelledby=\"set%zu\">\n<h2 id=\"set%zu\">", i + 1, i + 1);
	if (t->set.n > 1)
		strbuf_printf(b, "Set %zu of jobs", i + 1);
	else
		strbuf_puts(b, "Figures");
	strbuf_printf(b, "</h2>\n<p class=\"sub\">%zu document%s, %s", s->point.n, s->point.n == 1 ? "" : "s",
		      readable_time(s->point.v[0].time_ms).text);
	if (s->point.n > 1)
		strbuf_printf(b, " to %s", readable_time(s->point.v[s->point.n - 1].time_ms).text);
	strbuf_puts(b, "</p>\n");
	if (t->by)
		put_keys(b, t, s, i + 1);
	put_changes(b, t, s, i + 1);
	put_figures(b, s, i + 1);
	trend_put_charts(b, charts, t, s);
	strbuf_puts(b, "</section>\n");
}

/* ---- the rest ---- */

static void put_left_out(struct strbuf *b, const struct trend *t)
{
	static const char *const column[] = { "File", "Reason" };

	if (!t->left_out.n)
		return;
	open_section(b, "", "left-out", "Left out");
	html_table(b, "Files and documents that are not in the trend", column, 2);
	for (size_t i = 0; i < t->left_out.n; i++) {
		html_row(b, t->left_out.v[i].source);
		html_cell(b, trend_reason(&t->left_out.v[i]));
		html_row_end(b);
	}
	html_table_end(b);
	strbuf_puts(b, "</section>\n");
}

static void put_methods(struct strbuf *b, const struct trend *t)
{
	struct html_notes list = { .b = b };
	struct strbuf text = { 0 };

	for (size_t i = 0; i < t->notes.count; i++)
		html_note(&list, t->notes.line[i]);
	html_notes_end(&list);
	open_section(b, "", "methods", "Methods");
	trend_put_methods(&text, t);
	put_paragraphs(b, &text, "<p>");
	strbuf_end(&text, b);
	strbuf_puts(b, "</section>\n");
}

int report_trend_html(const struct trend *t, struct strbuf *b)
{
	struct trend_charts charts;
	struct strbuf sub = { 0 };

	trend_charts_init(&charts, t);
	strbuf_printf(&sub, "%zu document%s, ordered by %s", t->documents, t->documents == 1 ? "" : "s",
		      t->by ? t->by : "time");
	report_html_page_begin(b, "Trend", strbuf_str(&sub));
	strbuf_end(&sub, b);
	put_nav(b, t);
	put_answer(b, t);
	compare_put_verdicts_html(b, &t->judged);
	for (size_t i = 0; i < t->set.n; i++)
		put_set(b, t, i, &charts);
	put_left_out(b, t);
	put_methods(b, t);
	strbuf_puts(b, "</main>\n");
	report_html_page_end(b, "Its data is in the documents that it names.");
	return b->failed ? -ENOMEM : 0;
}
