/* html_time_chart.c: charts over time, each with its figures as a table. */
#include "html_page.h"

#include <math.h>
#include "strbuf.h"

void html_figures(struct strbuf *b, const char *caption, const char *const *column, size_t columns)
{
	strbuf_puts(b, "<details><summary>Show the figures</summary>\n");
	html_table(b, caption, column, columns);
}

void html_figures_end(struct strbuf *b)
{
	html_table_end(b);
	strbuf_puts(b, "</details>\n</figure>\n");
}

void html_bins(struct strbuf *b, const char *caption, const char *const *column,
	       const struct chart_histogram *c)
{
	html_figures(b, caption, column, c->sets + 1);
	for (unsigned i = 0; i < c->n; i++) {
		html_latency_range(b, i ? c->bound_ns[i] : c->low_ns, c->bound_ns[i + 1]);
		for (unsigned k = 0; k < c->sets; k++)
			html_cell(b, readable_exact(c->count[k][i]).text);
		html_row_end(b);
	}
	html_figures_end(b);
}

/* The lines of a table have the same intervals; those that the chart leaves out are empty. */
static size_t table_rows(const struct html_time_chart *c)
{
	size_t rows = 0;

	for (size_t i = 0; i < c->n; i++)
		rows = c->coarse[i].n > rows ? c->coarse[i].n : rows;
	return rows;
}

static double row_ms(const struct html_time_chart *c, size_t row)
{
	if (c->from_start)
		return (c->start_ns + (double)row * c->row_ns) / 1e6;
	for (size_t i = 0; i < c->n; i++)
		if (row < c->coarse[i].n)
			return c->coarse[i].t_ms[row] - c->axes.zero_ms;
	return 0;
}

static void begin_table(struct html_run *h, const struct html_time_chart *c)
{
	const char *column[HTML_LINES + 1] = { c->from_start ? "From" : "Time" };
	size_t n = 1;

	for (size_t i = 0; i < c->n; i++)
		if (c->coarse[i].n)
			column[n++] = html_string(h, "#%s", c->line[i].name);
	html_figures(h->b,
		     html_string(h, "%s, in intervals of %s", c->axes.title,
				 readable_duration(c->row_ns / 1e6).text),
		     column, n);
}

static void put_row(struct strbuf *b, const struct html_time_chart *c, size_t row)
{
	html_row(b, readable_duration(row_ms(c, row)).text);
	for (size_t i = 0; i < c->n; i++) {
		const struct chart_line *l = &c->coarse[i];

		if (l->n)
			html_cell(b, row < l->n && !isnan(l->v[row])
					     ? html_in_unit(c->axes.unit, l->v[row], c->units).text
					     : NULL);
	}
	html_row_end(b);
}

void html_time_chart(struct html_run *h, struct html_time_chart *c, const char *text)
{
	size_t rows = table_rows(c);

	h->b->failed |= c->err != 0;
	for (size_t i = 0; i < c->n; i++)
		c->line[i].line = &c->fine[i];
	if (rows && !c->err) {
		html_begin_figure(h->b, c->axes.title, text);
		svg_lines(h->b, &c->axes, c->line, c->n);
		begin_table(h, c);
		for (size_t row = 0; row < rows; row++)
			put_row(h->b, c, row);
		html_figures_end(h->b);
	}
	for (size_t i = 0; i < HTML_LINES; i++) {
		chart_line_fini(&c->fine[i]);
		chart_line_fini(&c->coarse[i]);
	}
}
