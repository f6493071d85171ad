/* trace_html_charts.c: the charts of the page of fiord trace. */
#include "trace_html.h"

#include <stdlib.h>
#include "strbuf.h"
#include "trace_chart.h"
#include "units.h"

#define TABLE_ROWS 50 /* of a table over time, at most */

/* ---- over time ---- */

/* The table has fewer points than the chart, and no peak. */
struct course {
	struct html_time_chart chart;
	const struct trace_summary *s;
	enum trace_quantity what;
	unsigned join; /* intervals of a row of the table */
};

static void add_op_line(struct course *c, unsigned op, const char *name, enum svg_look look)
{
	struct html_time_chart *to = &c->chart;
	struct chart_line *fine = &to->fine[to->n], *coarse = &to->coarse[to->n];

	to->err = to->err ? to->err : trace_line(fine, c->s, c->what, op, 1);
	to->err = to->err ? to->err : trace_line(coarse, c->s, c->what, op, c->join);
	to->line[to->n] = (struct svg_line){ .name = name, .look = look };
	to->n += fine->n > 0;
	if (!fine->n) {
		chart_line_fini(fine);
		chart_line_fini(coarse);
	}
}

static void add_peak(struct course *c)
{
	struct html_time_chart *to = &c->chart;

	to->err = to->err ? to->err : trace_peak_line(&to->fine[to->n], c->s, c->what);
	to->line[to->n++] = (struct svg_line){ .name = "peak", .look = SVG_LIMIT };
}

/* Adds each operation, and if there are several the sum, whose peak is marked. */
static void add_operations(struct course *c, unsigned ops)
{
	static const enum svg_look look[TRACE_IO_OPS] = { SVG_READ, SVG_WRITE, SVG_TRIM, SVG_OTHER,
							  SVG_P999 };

	for (unsigned op = 0; op < ops; op++)
		add_op_line(c, op, trace_op_name((enum trace_op)op), look[op]);
	if (c->chart.n > 1)
		add_op_line(c, TRACE_IO_OPS, "all", SVG_MAX);
	add_peak(c);
}

static struct course course_of(const struct trace_summary *s, enum trace_quantity what, const char *title,
			       enum svg_unit unit)
{
	unsigned join = (s->intervals + TABLE_ROWS - 1) / TABLE_ROWS;
	double start_ns = (double)s->first_ns, all_ns = (double)s->intervals * (double)s->interval_ns;

	return (struct course){
		.s = s,
		.what = what,
		.chart = { .axes = { .title = title,
				     .unit = unit,
				     .start_ms = start_ns / 1e6,
				     .end_ms = (start_ns + all_ns) / 1e6 },
			   .row_ns = (double)s->interval_ns * join,
			   .from_start = true,
			   .start_ns = start_ns },
		.join = join,
	};
}

static const char *peak_text(struct html_run *h, const struct course *c)
{
	const struct trace_summary *s = c->s;
	bool iops = c->what == TRACE_IOPS;

	return html_string(
		h, "On average %s, at the peak %s in the %s from %s on. Each point has the I/Os of %s.",
		html_in_unit(c->chart.axes.unit, iops ? s->iops : s->bytes_per_s, NULL).text,
		html_in_unit(c->chart.axes.unit, iops ? s->peak_iops : s->peak_bytes_per_s, NULL).text,
		readable_duration((double)trace_interval_ns(s) / 1e6).text,
		readable_duration((double)(iops ? s->peak_iops_ns : s->peak_bytes_ns) / 1e6).text,
		readable_duration((double)trace_interval_ns(s) / 1e6).text);
}

void trace_html_over_time(struct html_run *h, const struct trace_summary *s)
{
	struct course iops = course_of(s, TRACE_IOPS, "IOPS over time", SVG_IOPS);
	struct course bandwidth = course_of(s, TRACE_BYTES_PER_S, "Bandwidth over time", SVG_BYTES_1024);
	struct course touched = course_of(s, TRACE_TOUCHED, "Working set over time", SVG_SIZE);

	add_operations(&iops, TRACE_IO_OPS);
	html_time_chart(h, &iops.chart, peak_text(h, &iops));
	add_operations(&bandwidth, TRACE_TRIM);
	html_time_chart(h, &bandwidth.chart, peak_text(h, &bandwidth));
	if (s->touched_all_bytes)
		add_op_line(&touched, TRACE_IO_OPS, "all", SVG_READ);
	html_time_chart(h, &touched.chart,
			"The different blocks that were read or written since the start, at the end of each "
			"interval.");
}

/* ---- sizes ---- */

static const char *size_name(struct html_run *h, uint64_t bytes, bool range)
{
	return html_string(h, "%s%s", range ? "from " : "", units_suffixed(bytes).text);
}

static void put_size_bars(struct html_run *h, const struct trace_summary *s)
{
	static const char *const part[] = { "reads", "writes", "trims" };
	struct svg_axes axes = { .title = "I/Os by size", .unit = SVG_PERCENT };
	unsigned parts = s->op[TRACE_TRIM].ios ? 3 : s->op[TRACE_WRITE].ios ? 2 : 1, n;
	struct trace_bar bar[TRACE_SIZE_RANGES];
	struct svg_bar shown[TRACE_SIZE_RANGES];

	n = trace_size_bars(s, bar);
	for (unsigned i = 0; i < n; i++) {
		shown[i] = (struct svg_bar){ .name = size_name(h, bar[i].bytes, bar[i].most > bar[i].bytes) };
		for (unsigned op = 0; op < TRACE_DATA_OPS; op++)
			shown[i].part[op] = bar[i].percent[op];
	}
	html_begin_figure(h->b, axes.title, "Shares of the reads, writes and trims.");
	svg_bars(h->b, &axes, shown, n, part, parts);
}

void trace_html_sizes(struct html_run *h, const struct trace_summary *s)
{
	static const char *const column[] = { "Length", "#Reads", "#Writes", "#Trims" };

	put_size_bars(h, s);
	html_figures(h->b, s->size_ranges ? "I/Os by length, in ranges" : "I/Os by length", column, 4);
	for (unsigned i = 0; i < s->sizes; i++) {
		html_row(h->b, size_name(h, s->size[i].bytes, s->size_ranges));
		for (unsigned op = 0; op < TRACE_DATA_OPS; op++)
			html_exact(h->b, s->size[i].ios[op]);
		html_row_end(h->b);
	}
	html_figures_end(h->b);
}

/* ---- interarrival times ---- */

static void put_gap_percentiles(struct strbuf *b, const struct trace_summary *s)
{
	static const char *const column[] = { "Figure", "#Interarrival time" };

	html_table(b, "Interarrival times", column, 2);
	html_row(b, "mean");
	html_number(b, readable_latency(s->gap_mean_ns).text);
	html_row_end(b);
	for (unsigned i = 0; i < TRACE_PERCENTILES; i++) {
		strbuf_printf(b, "<tr><th scope=\"row\">p%g</th>", trace_percentile[i]);
		html_number(b, readable_latency((double)s->gap_percentile_ns[i]).text);
		html_row_end(b);
	}
	html_row(b, "longest");
	html_number(b, readable_latency((double)s->gap_max_ns).text);
	html_row_end(b);
	html_table_end(b);
}

static void put_gap_chart(struct html_run *h, const struct chart_histogram *c, uint64_t zeros)
{
	static const char *const column[] = { "Interarrival time", "#I/Os" };
	static const struct svg_set set = { "I/Os", SVG_READ };
	struct svg_axes axes = { .title = "Distribution of the interarrival times",
				 .unit = SVG_PERCENT,
				 .x_name = "time since the I/O before" };
	struct strbuf text = { 0 };

	strbuf_puts(&text, "Shares of the I/Os, on a logarithmic axis.");
	if (zeros)
		strbuf_printf(&text, " %s more I/Os have the stamp of the one before.",
			      readable_exact(zeros).text);
	html_lowest_row(&text, c->bound_ns, c->low_ns, "bar");
	html_begin_figure(h->b, axes.title, strbuf_str(&text));
	strbuf_end(&text, h->b);
	svg_histogram(h->b, &axes, c, &set);
	html_bins(h->b, axes.title, column, c);
}

void trace_html_gaps(struct html_run *h, const struct trace_summary *s)
{
	struct chart_histogram c;

	h->b->failed |= trace_gap_histogram(&c, s) != 0;
	if (!h->b->failed && c.n)
		put_gap_chart(h, &c, s->gap.n[0]);
	put_gap_percentiles(h->b, s);
}

/* ---- curves over values ---- */

struct curve_chart {
	struct svg_axes axes;
	const char *name[2]; /* of the curves */
	unsigned curves;
	const char *value[ZIPF_FIT_CLASSES];
	struct svg_load_point point[2][ZIPF_FIT_CLASSES];
	size_t n;
};

static void add_value(struct html_run *h, struct curve_chart *c, const char *value, double first,
		      double second)
{
	const double percent[2] = { first, second };

	c->value[c->n] = value;
	for (unsigned i = 0; i < c->curves; i++)
		c->point[i][c->n] =
			(struct svg_load_point){ .x = (double)c->n,
						 .y = percent[i],
						 .name = html_string(h, "%s, %s: %s", value, c->name[i],
								     readable_percent(percent[i]).text) };
	c->n++;
}

/* column: of the table; the first has the values. */
static void put_curves(struct html_run *h, struct curve_chart *c, const char *text, const char *const *column)
{
	static const enum svg_look look[] = { SVG_READ, SVG_WRITE };
	struct svg_load_curve curve[2];

	c->axes.unit = SVG_PERCENT;
	c->axes.x_values = c->value;
	c->axes.nx_values = c->n;
	for (unsigned i = 0; i < c->curves; i++)
		curve[i] = (struct svg_load_curve){ c->name[i], look[i], c->point[i], c->n, c->n };
	html_begin_figure(h->b, c->axes.title, text);
	svg_load(h->b, &c->axes, curve, c->curves);
	html_figures(h->b, c->axes.title, column, c->curves + 1);
	for (size_t k = 0; k < c->n; k++) {
		html_row(h->b, c->value[k]);
		for (unsigned i = 0; i < c->curves; i++)
			html_number(h->b, readable_percent(c->point[i][k].y).text);
		html_row_end(h->b);
	}
	html_figures_end(h->b);
}

void trace_html_reuse(struct html_run *h, const struct trace_summary *s)
{
	static const char *const column[] = { "Size of the cache", "#Accesses served" };
	struct curve_chart *c = calloc(1, sizeof(*c));

	h->b->failed |= !c;
	if (!c)
		return;
	c->axes = (struct svg_axes){ .title = "Accesses that an LRU cache serves",
				     .x_name = "size of the cache",
				     .y_name = "% of accesses" };
	c->name[0] = "served";
	c->curves = 1;
	for (unsigned i = 0; i < s->caches; i++)
		add_value(h, c, html_string(h, "%s", units_exact(s->cache[i].bytes).text),
			  s->cache[i].served_percent, 0);
	put_curves(
		h, c,
		"Shares of the accesses to blocks, by the size of the cache. The first access to a block is "
		"never served.",
		column);
	free(c);
}

void trace_html_skew(struct html_run *h, const struct trace_summary *s)
{
	static const char *const column[] = { "I/Os, at most", "#Addresses of the trace",
					      "#Addresses of the fit" };
	struct curve_chart *c = calloc(1, sizeof(*c));

	h->b->failed |= !c;
	if (!c)
		return;
	c->axes = (struct svg_axes){ .title = "Addresses by the number of their I/Os",
				     .x_name = "I/Os that begin at the address, at most",
				     .y_name = "% of addresses" };
	c->name[0] = "trace";
	c->name[1] = "fit";
	c->curves = 2;
	for (unsigned i = 0; i < s->shares; i++)
		add_value(h, c, html_string(h, "%s", readable_exact((uint64_t)s->share[i].accesses).text),
			  100 * s->share[i].observed, 100 * s->share[i].fitted);
	put_curves(h, c,
		   "Shares of the addresses at which at most so many I/Os begin that are not sequential, and "
		   "those "
		   "that the fitted zipf distribution expects.",
		   column);
	free(c);
}
