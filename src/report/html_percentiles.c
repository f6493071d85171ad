/* html_percentiles.c: the charts of latencies by percentile, and of their distribution. */
#include "html_page.h"

#include <stdlib.h>
#include "chart.h"
#include "strbuf.h"
#include "svg.h"

/* The sets of a chart of bins: each direction, and its response times if it has any. */
struct bin_sets {
	struct chart_bins bins[CHART_SETS];
	struct svg_set set[CHART_SETS];
	enum lat_kind kind[CHART_SETS];
	unsigned dir[CHART_SETS], n;
};

static void add_lat_set(struct bin_sets *s, const struct result_job *t, unsigned dir, enum lat_kind kind)
{
	static const char *const resp[DIR_DATA] = { "read response", "write response", "trim response" };
	static const enum svg_look resp_look[DIR_DATA] = { SVG_P999, SVG_MAX, SVG_OTHER };
	const struct result_bins *bins = &t->bins[dir][kind];
	const struct summary_lat *l = &t->sum.dir[dir].lat[kind];

	if (!bins->n || s->n == CHART_SETS)
		return;
	s->bins[s->n] = (struct chart_bins){ bins->ns, bins->count, bins->n, l->min, l->max };
	s->set[s->n] = (struct svg_set){ kind == LAT_RESP ? resp[dir]
					 : t->mixed       ? "mixed"
							  : html_dir_class(dir),
					 kind == LAT_RESP ? resp_look[dir] : html_dir_look(dir) };
	s->dir[s->n] = dir;
	s->kind[s->n++] = kind;
}

static struct bin_sets bin_sets(const struct result_job *t)
{
	struct bin_sets s = { .n = 0 };

	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		enum lat_kind kind = total_service_kind(t, dir);

		if (kind < LAT_KINDS)
			add_lat_set(&s, t, dir, kind);
	}
	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		add_lat_set(&s, t, dir, LAT_RESP);
	return s;
}

/* The percentiles that the number of I/Os can show, one set after the other. */
static void put_nines_rows(struct strbuf *b, const struct html_group *g, const struct bin_sets *s,
			   unsigned set)
{
	struct chart_nines c;

	chart_nines(&c, &s->bins[set]);
	for (unsigned i = 0; i < c.n; i++) {
		/* Between the nines stand 95, 99.5 and so on. */
		if (g->detail->curve_step > 1 && i > 1 && i % 2 == 0)
			continue;
		html_printf(b, "<tr><th scope=\"row\">%s</th>", s->set[set].name);
		strbuf_printf(b, "<td>p%.*f</td>", (int)c.v[i].decimals, c.v[i].percent);
		html_cell(b, readable_latency((double)c.v[i].ns).text);
		html_cell(b, readable_exact(c.v[i].above).text);
		html_row_end(b);
	}
}

bool html_percentile_chart(struct html_run *h, const struct html_group *g)
{
	static const char *const column[] = { "Set", "#Percentile", "#Latency", "#I/Os that took longer" };
	struct svg_axes axes = { .title = "Latency by percentile", .unit = SVG_NS, .log = true };
	struct chart_curve *curve = calloc(CHART_SETS, sizeof(*curve));
	struct bin_sets s = bin_sets(g->total);
	struct svg_curve line[CHART_SETS];

	h->b->failed |= !curve;
	for (unsigned i = 0; curve && i < s.n; i++) {
		chart_percentiles(&curve[i], &s.bins[i]);
		chart_curve_thin(&curve[i], g->detail->curve_step);
		line[i] = (struct svg_curve){ s.set[i].name, s.set[i].look, &curve[i] };
	}
	if (curve && s.n) {
		html_begin_figure(h->b, axes.title, "Each nine has the same width; the dot is the maximum.");
		svg_percentiles(h->b, &axes, line, s.n);
		html_figures(h->b, axes.title, column, 4);
		for (unsigned i = 0; i < s.n; i++)
			put_nines_rows(h->b, g, &s, i);
		html_figures_end(h->b);
	}
	free(curve);
	return s.n > 0;
}

void html_histogram(struct html_run *h, const struct html_group *g)
{
	struct svg_axes axes = { .title = "Latency distribution", .unit = SVG_PERCENT };
	const char *column[CHART_SETS + 1] = { "Latency" };
	struct bin_sets s = bin_sets(g->total);
	struct strbuf text = { 0 };
	struct chart_histogram c;

	for (unsigned i = 0; i < s.n; i++)
		column[i + 1] = html_string(h, "#%s", s.set[i].name);
	chart_histogram(&c, s.bins, s.n, g->detail->bars);
	strbuf_puts(&text, "Shares of the I/Os by their latency, on a logarithmic axis.");
	html_lowest_row(&text, c.bound_ns, c.low_ns, "bar");
	html_begin_figure(h->b, axes.title, strbuf_str(&text));
	strbuf_end(&text, h->b);
	svg_histogram(h->b, &axes, &c, s.set);
	html_bins(h->b, "I/Os by latency", column, &c);
}
