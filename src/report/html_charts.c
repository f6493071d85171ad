/* html_charts.c: the charts of a group, each with its figures as a table. */
#include "html_page.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "chart.h"
#include "series_regroup.h"
#include "svg.h"

#define TABLE_ROWS 60 /* of a table under a chart over time, at most */
#define LINES_MAX  8

/* What the charts over time of a group have in common. */
struct over_time {
	struct html_run *h;
	const struct html_group *g;
	struct series sum;    /* the group's series, over all its workers */
	struct series coarse; /* the same in at most TABLE_ROWS intervals */
	double start_ms, end_ms;
};

/* A chart over time in work: its lines, and those of the table, which has fewer points. */
struct time_chart {
	struct svg_axes axes;
	struct svg_line line[LINES_MAX];
	struct chart_line fine[LINES_MAX], coarse[LINES_MAX];
	size_t n;
	int err;
};

static unsigned doublings_for_table(const struct series *s)
{
	unsigned doublings = 0;

	while (s->group[0].cells.n >> doublings > TABLE_ROWS)
		doublings++;
	return doublings;
}

/* Adds up the group's series. Returns false if there are none, or when memory is short. */
static bool begin_time(struct over_time *t)
{
	const struct result_series *rs = &t->h->r->series;
	uint32_t *to = calloc(rs->data.ngroups + 1, sizeof(*to)), zero = 0;
	int ret = to ? 0 : -ENOMEM;

	for (unsigned i = 0; to && i < rs->data.ngroups; i++) {
		bool ours = rs->label && rs->label[i].in_report && rs->label[i].group == t->g->number;

		to[i] = ours ? 0 : SERIES_LEAVE_OUT;
	}
	if (!ret && rs->data.ngroups)
		ret = series_regroup(&t->sum, &rs->data, to, 1, 0);
	if (!ret && t->sum.ngroups)
		ret = series_regroup(&t->coarse, &t->sum, &zero, 1, doublings_for_table(&t->sum));
	free(to);
	t->h->b->failed |= ret != 0;
	return !ret && t->sum.ngroups && chart_span(&t->sum, 0, &t->start_ms, &t->end_ms);
}

static void end_time(struct over_time *t)
{
	series_fini(&t->sum);
	series_fini(&t->coarse);
}

static void begin_figure(struct strbuf *b, const char *title, const char *text)
{
	strbuf_puts(b, "<figure>\n<figcaption><strong>");
	html_text(b, title);
	strbuf_puts(b, "</strong>");
	if (text) {
		strbuf_puts(b, " ");
		html_text(b, text);
	}
	strbuf_puts(b, "</figcaption>\n");
}

static void put_unit_value(struct strbuf *b, enum svg_unit unit, double v, const struct result_units *u)
{
	if (unit == SVG_NS)
		html_latency(b, v);
	else if (unit == SVG_IOPS)
		html_count(b, v);
	else if (unit == SVG_NUMBER)
		strbuf_printf(b, "%.2f", v);
	else
		html_bytes_rate(b, v, u);
}

/* The lines of a table have the same intervals; those that the chart left out are empty. */
static size_t table_rows(const struct time_chart *c)
{
	size_t rows = 0;

	for (size_t i = 0; i < c->n; i++)
		rows = c->coarse[i].n > rows ? c->coarse[i].n : rows;
	return rows;
}

static double row_time(const struct time_chart *c, size_t row)
{
	for (size_t i = 0; i < c->n; i++) {
		if (row < c->coarse[i].n)
			return c->coarse[i].t_ms[row];
	}
	return 0;
}

static void put_time_table(struct over_time *t, const struct time_chart *c)
{
	const char *column[LINES_MAX + 1] = { "#Time" };
	struct strbuf *b = t->h->b;

	for (size_t i = 0; i < c->n; i++) {
		char *name = arena_printf(&t->h->mem, "#%s", c->line[i].name);

		column[i + 1] = name ? name : "#";
	}
	strbuf_puts(b, "<details><summary>Show the figures</summary>\n");
	html_table(b, c->axes.title, column, c->n + 1);
	for (size_t row = 0; row < table_rows(c); row++) {
		strbuf_puts(b, "<tr><th scope=\"row\" class=\"n\">");
		html_duration(b, row_time(c, row) - c->axes.zero_ms);
		strbuf_puts(b, "</th>");
		for (size_t i = 0; i < c->n; i++) {
			html_cell_begin(b, true);
			if (row < c->coarse[i].n && !isnan(c->coarse[i].v[row]))
				put_unit_value(b, c->axes.unit, c->coarse[i].v[row], &t->g->total->units);
			html_cell_end(b);
		}
		html_row_end(b);
	}
	html_table_end(b);
	strbuf_puts(b, "</details>\n");
}

/* Draws the chart with its table, and frees its lines. */
static void finish_chart(struct over_time *t, struct time_chart *c, const char *text)
{
	size_t points = 0;

	for (size_t i = 0; i < c->n; i++) {
		c->line[i].line = &c->fine[i];
		points += c->fine[i].n;
	}
	t->h->b->failed |= c->err != 0;
	c->axes.start_ms = c->axes.zero_ms = t->start_ms;
	c->axes.end_ms = t->end_ms;
	if (points && !c->err) {
		begin_figure(t->h->b, c->axes.title, text);
		svg_lines(t->h->b, &c->axes, c->line, c->n);
		put_time_table(t, c);
		strbuf_puts(t->h->b, "</figure>\n");
	}
	for (size_t i = 0; i < c->n; i++) {
		chart_line_fini(&c->fine[i]);
		chart_line_fini(&c->coarse[i]);
	}
}

static enum svg_unit rate_unit(const struct result_units *u)
{
	if (u->bits)
		return u->kb_base == 1000 ? SVG_BITS_1000 : SVG_BITS_1024;
	return u->kb_base == 1000 ? SVG_BYTES_1000 : SVG_BYTES_1024;
}

/* A line for each direction with I/O. */
static void put_rate(struct over_time *t, enum chart_quantity what, const char *title, enum svg_unit unit)
{
	static const enum svg_look look[DIR_DATA] = { SVG_READ, SVG_WRITE, SVG_TRIM };
	struct time_chart c = { .axes = { .title = title, .unit = unit } };

	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		if (!html_has_dir(t->g->total, dir) && !(t->g->total->mixed && dir < DIR_TRIM))
			continue;
		c.line[c.n] = (struct svg_line){ .name = html_dir_class(dir), .look = look[dir] };
		c.err = c.err ? c.err : chart_rate(&c.fine[c.n], &t->sum, 0, dir, what);
		c.err = c.err ? c.err : chart_rate(&c.coarse[c.n], &t->coarse, 0, dir, what);
		c.n++;
	}
	finish_chart(t, &c, NULL);
}

static void put_without_series(struct html_run *h)
{
	strbuf_puts(h->b, "<p class=\"note\">The data has no series over time: results that "
			  "<code>fiord</code> writes with "
			  "<code>--report=FILE</code> or <code>--output-format=json+</code> have one.</p>\n");
}

/* In a page of several groups the ids have the group's number. */
static void begin_part(struct html_run *h, const struct html_group *g, const char *id, const char *title)
{
	char full[48];

	if (h->groups > 1)
		snprintf(full, sizeof(full), "g%u-%s", g->number, id);
	else
		snprintf(full, sizeof(full), "%s", id);
	html_section(h, h->groups > 1, full, title);
}

static void put_over_time(struct html_run *h, const struct html_group *g)
{
	struct over_time t = { .h = h, .g = g };

	begin_part(h, g, "time", "Over time");
	if (begin_time(&t)) {
		put_rate(&t, CHART_IOPS, "IOPS over time", SVG_IOPS);
		put_rate(&t, CHART_BYTES_PER_S, "Bandwidth over time", rate_unit(&g->total->units));
	} else {
		put_without_series(h);
	}
	end_time(&t);
	html_section_end(h);
}

void html_charts(struct html_run *h, const struct html_group *g)
{
	struct strbuf title = { 0 };

	if (h->groups > 1) {
		char id[24];

		snprintf(id, sizeof(id), "g%u", g->number);
		strbuf_printf(&title, "Group %u", g->number);
		html_section(h, 0, id, strbuf_str(&title));
		strbuf_puts(h->b, "<p class=\"sub\">");
		html_group_names(h->b, g);
		strbuf_puts(h->b, "</p>\n");
		html_answer(h, g);
	}
	put_over_time(h, g);
	if (h->groups > 1)
		html_section_end(h);
	strbuf_fini(&title);
}
