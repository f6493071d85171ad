/* html_charts.c: the charts of a group, each with its figures as a table. */
#include "html_page.h"

#include <stdio.h>
#include "chart.h"
#include "strbuf.h"
#include "svg.h"
#include "where.h"

#define HEAT_PARTS 8 /* time columns of the table under a heat map */

static void put_course(struct html_run *h, const struct html_group *g, struct html_time_chart *c,
		       const char *text)
{
	for (size_t i = 0; i < c->n; i++)
		chart_line_limit(&c->fine[i], g->detail->points);
	c->axes.start_ms = c->axes.zero_ms = g->start_ms;
	c->axes.end_ms = g->end_ms;
	c->units = &g->total->units;
	c->row_ns = (double)series_interval_ns(&g->coarse);
	html_time_chart(h, c, text);
}

static void put_rate(struct html_run *h, const struct html_group *g, enum chart_quantity what,
		     const char *title, enum svg_unit unit)
{
	struct html_time_chart c = { .axes = { .title = title, .unit = unit } };

	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		if (!html_has_dir(g->total, dir))
			continue;
		c.line[c.n] = (struct svg_line){ .name = html_dir_class(dir), .look = html_dir_look(dir) };
		c.err = c.err ? c.err : chart_rate(&c.fine[c.n], &g->series, 0, dir, what);
		c.err = c.err ? c.err : chart_rate(&c.coarse[c.n], &g->coarse, 0, dir, what);
		c.n++;
	}
	put_course(h, g, &c, NULL);
}

/* Returns the depths of the group's jobs together; 0: unknown. Response times begin before an I/O is in
   flight, and the depth of an entry with several members is that of one of them. */
static double depth_of_jobs(const struct html_group *g)
{
	double depth = 0;

	for (size_t i = 0; i < g->njobs; i++) {
		if (!g->jobs[i]->iodepth || g->jobs[i]->members > 1 || g->series.groups[0].kind == LAT_RESP)
			return 0;
		depth += g->jobs[i]->iodepth;
	}
	return depth;
}

static void put_depth(struct html_run *h, const struct html_group *g)
{
	struct html_time_chart c = { .axes = { .title = "Depth over time", .unit = SVG_NUMBER } };
	double most = depth_of_jobs(g);

	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		/* Averaged latencies of log files do not say how many I/Os had them. */
		if (!html_has_dir(g->total, dir) || !total_ios_known(g->total, dir))
			continue;
		c.line[c.n] = (struct svg_line){ .name = html_dir_class(dir), .look = html_dir_look(dir) };
		c.err = c.err ? c.err : chart_depth(&c.fine[c.n], &g->series, &g->series, 0, dir, most);
		c.err = c.err ? c.err : chart_depth(&c.coarse[c.n], &g->series, &g->coarse, 0, dir, most);
		c.n++;
	}
	put_course(h, g, &c,
		   "The mean number of I/Os in flight, by Little's law: the time that all I/Os were in "
		   "flight during an interval, divided by its length.");
}

/* Moves the lines of a latency chart that are not empty into the chart. */
static void move_lines(struct html_time_chart *c, struct chart_lat *fine, struct chart_lat *coarse)
{
	static const char *const name[CHART_LAT_LINES] = { "p50", "p99", "p99.9", "max", "mean" };
	static const enum svg_look look[CHART_LAT_LINES] = { SVG_P50, SVG_P99, SVG_P999, SVG_MAX, SVG_MEAN };
	bool percentiles = fine->line[CHART_P50].n;

	for (unsigned i = 0; i < CHART_LAT_LINES; i++) {
		if (!fine->line[i].n || (i == CHART_MEAN && percentiles))
			continue;
		c->line[c->n] = (struct svg_line){ .name = name[i], .look = look[i] };
		c->fine[c->n] = fine->line[i];
		c->coarse[c->n++] = coarse->line[i];
		fine->line[i] = coarse->line[i] = (struct chart_line){ 0 };
	}
}

/* Returns the series for the charts that need histograms: latencies over time and heat maps. */
static const struct series *joined_series(const struct html_group *g)
{
	return g->joined.ngroups ? &g->joined : &g->series;
}

static void put_latency_chart(struct html_run *h, const struct html_group *g, unsigned dir,
			      enum lat_kind kind)
{
	struct chart_lat fine = { 0 }, coarse = { 0 };
	struct html_time_chart c = { .axes = { .unit = SVG_NS, .log = true } };

	c.err = chart_lat(&fine, joined_series(g), 0, dir, kind);
	c.err = c.err ? c.err : chart_lat(&coarse, &g->coarse, 0, dir, kind);
	c.axes.title = html_string(h, "%s %s over time", html_dir_name(g->total, dir), html_lat_name(kind));
	move_lines(&c, &fine, &coarse);
	put_course(h, g, &c,
		   html_string(h, "Each point has the I/Os that completed in %s.",
			       readable_duration(fine.step_ms).text));
	chart_lat_fini(&fine);
	chart_lat_fini(&coarse);
}

static void put_latency_over_time(struct html_run *h, const struct html_group *g)
{
	const struct series_group *s = &g->series.groups[0];

	for (unsigned dir = 0; dir < DIR_DATA && s->kind < LAT_KINDS; dir++) {
		if (!html_has_dir(g->total, dir))
			continue;
		put_latency_chart(h, g, dir, s->kind);
		if (s->resp && s->kind != LAT_RESP)
			put_latency_chart(h, g, dir, LAT_RESP);
	}
}

static uint64_t cells_of(const struct chart_heat *m, unsigned row, unsigned part)
{
	unsigned from = m->cols * part / HEAT_PARTS, until = m->cols * (part + 1) / HEAT_PARTS;
	uint64_t sum = 0;

	for (unsigned col = from; col < until; col++)
		sum += m->count[(size_t)col * m->rows + row];
	return sum;
}

/* What a heat map shows. */
struct heat_words {
	const char *title, *sentence;
	const char *row;              /* head of the rows of its table */
	const char *y_name, *counted; /* as in svg_axes */
};

/* The heat map as a table of fewer columns: latencies by parts of the time. */
static void put_heat_table(struct html_run *h, const struct html_group *g, const struct chart_heat *m,
			   const struct heat_words *words)
{
	const char *column[HEAT_PARTS + 1] = { words->row };

	for (unsigned i = 0; i < HEAT_PARTS; i++) {
		double from = m->start_ms + m->col_ms * (m->cols * i / HEAT_PARTS);

		column[i + 1] = html_string(h, "#from %s", readable_duration(from - g->start_ms).text);
	}
	html_figures(h->b, words->title, column, HEAT_PARTS + 1);
	for (unsigned row = m->rows; row-- > 0;) {
		html_latency_range(h->b, row ? m->bound_ns[row] : m->low_ns, m->bound_ns[row + 1]);
		for (unsigned i = 0; i < HEAT_PARTS; i++) {
			uint64_t n = cells_of(m, row, i);

			html_cell(h->b, n ? readable_count((double)n).text : NULL);
		}
		html_row_end(h->b);
	}
	html_figures_end(h->b);
}

/* Draws a direction of a series with one group, whose grid begins late_ms after that of the page. */
static void put_heat(struct html_run *h, const struct html_group *g, const struct series *s, unsigned dir,
		     double late_ms, const struct heat_words *words)
{
	struct svg_axes axes = { .title = words->title,
				 .unit = SVG_NS,
				 .y_name = words->y_name,
				 .counted = words->counted,
				 .log = true,
				 .start_ms = g->start_ms,
				 .end_ms = g->end_ms,
				 .zero_ms = g->start_ms };
	struct strbuf text = { 0 };
	struct chart_heat m = { 0 };

	h->b->failed |=
		chart_heat(&m, s, 0, dir, s->groups[0].kind, g->detail->heat_cols, g->detail->heat_rows) != 0;
	m.start_ms += late_ms;
	m.end_ms += late_ms;
	if (m.cols && !h->b->failed) {
		strbuf_puts(&text, words->sentence);
		html_lowest_row(&text, m.bound_ns, m.low_ns, "row");
		html_begin_figure(h->b, words->title, strbuf_str(&text));
		svg_heat(h->b, &axes, &m);
		put_heat_table(h, g, &m, words);
	}
	strbuf_end(&text, h->b);
	chart_heat_fini(&m);
}

static void put_latency_heat(struct html_run *h, const struct html_group *g, unsigned dir)
{
	const struct series *s = joined_series(g);
	struct heat_words words = {
		.title = html_string(h, "%s %s heat map", html_dir_name(g->total, dir),
				     html_lat_name(s->groups[0].kind)),
		.sentence = "I/Os by the time of their completion and by their latency; the stronger the "
			    "colour, the more I/Os.",
		.row = "Latency",
	};

	put_heat(h, g, s, dir, 0, &words);
}

/* Jobs with latency_split know how long their requests were on the device. The entry of all hosts does not,
   but the others do. */
static void put_device_heat(struct html_run *h, const struct html_group *g, unsigned dir)
{
	const struct result_job *const *jobs =
		g->all_hosts ? (const struct result_job *const *)h->r->jobs : g->jobs;
	size_t njobs = g->all_hosts ? h->r->njobs : g->njobs;
	struct heat_words words = {
		.title = html_string(h, "%s device time heat map", html_dir_name(g->total, dir)),
		.sentence = "Requests by the time of their completion and by their time on the device; the "
			    "stronger the colour, the more requests.",
		.row = "Time on the device",
		.y_name = "device time",
		.counted = "requests",
	};
	struct series s = { 0 };
	uint64_t start_ms = 0;

	h->b->failed |=
		where_device_series(&s, jobs, njobs, g->total->mixed ? DIR_COUNT : dir, &start_ms) != 0;
	if (s.ngroups)
		put_heat(h, g, &s, DIR_READ, (double)start_ms - (double)h->r->series.start_ms, &words);
	series_fini(&s);
}

/* In a page of several groups the ids have the group's number. */
static void begin_part(struct html_run *h, const struct html_group *g, const char *id, const char *title)
{
	char full[48];

	if (h->ngroups > 1)
		snprintf(full, sizeof(full), "g%u-%s", g->number, id);
	else
		snprintf(full, sizeof(full), "%s", id);
	html_section(h, h->ngroups > 1, full, title);
}

/* One interval alone says nothing about the course of a run. */
static bool has_course(const struct html_group *g)
{
	return g->has_series && g->intervals > 1;
}

static void put_over_time(struct html_run *h, const struct html_group *g)
{
	begin_part(h, g, "time", "Over time");
	if (has_course(g)) {
		put_rate(h, g, CHART_IOPS, "IOPS over time", SVG_IOPS);
		if (!g->detail->brief)
			put_rate(h, g, CHART_BYTES_PER_S, "Bandwidth over time",
				 html_rate_unit(&g->total->units));
		put_latency_over_time(h, g);
		if (!g->detail->brief)
			put_depth(h, g);
		if (g->total->sum.errors)
			put_rate(h, g, CHART_ERRORS_PER_S, "Errors per second over time", SVG_ERRORS);
	} else if (g->has_series) {
		strbuf_puts(
			h->b,
			"<p class=\"note\">The run was too short for charts over time: it ended in its first "
			"interval.</p>\n");
	} else {
		strbuf_puts(h->b, "<p class=\"note\">The result has no series over time. Results that "
				  "<code>fiord</code> writes with <code>--report=FILE</code> or "
				  "<code>--output-format=json+</code> have "
				  "one.</p>\n");
	}
	html_section_end(h);
}

static void put_latency(struct html_run *h, const struct html_group *g)
{
	bool bins;

	begin_part(h, g, "latency", "Latency");
	bins = html_percentile_chart(h, g);
	for (unsigned dir = 0; dir < DIR_DATA && !g->detail->brief; dir++) {
		if (!has_course(g) || !html_has_dir(g->total, dir))
			continue;
		if (g->series.groups[0].kind < LAT_KINDS)
			put_latency_heat(h, g, dir);
		put_device_heat(h, g, dir);
	}
	if (bins && !g->detail->brief)
		html_histogram(h, g);
	if (!bins)
		strbuf_puts(h->b,
			    "<p class=\"note\">The data has no histograms of the latencies, so there are no "
			    "curves of percentiles. Results that <code>fiord</code> writes with "
			    "<code>--output-format=json+</code> have them, and those of fio, too.</p>\n");
	html_section_end(h);
}

void html_charts(struct html_run *h, const struct html_group *g)
{
	char title[32], id[24];

	if (h->ngroups > 1) {
		snprintf(id, sizeof(id), "g%u", g->number);
		snprintf(title, sizeof(title), "Group %u", g->number);
		html_section(h, 0, id, title);
		strbuf_puts(h->b, "<p class=\"sub\">");
		html_group_names(h->b, g);
		strbuf_puts(h->b, "</p>\n");
		if (!g->detail->brief) /* its figures are in the table of all groups */
			html_tiles(h, g);
		strbuf_puts(h->b, "<dl class=\"status\">\n");
		html_steady(h, g);
		strbuf_puts(h->b, "</dl>\n");
	}
	if (html_any_io(g->total)) {
		put_over_time(h, g);
		put_latency(h, g);
	}
	if (h->ngroups > 1)
		html_section_end(h);
}
