/* html_overview.c: several results beside each other, before the section of each. */
#include "html_page.h"
#include "strbuf.h"

static void put_figure_cells(struct strbuf *b, const struct result_job *t, unsigned dir)
{
	static const double percents[] = { 50, 99, 99.9 };
	const struct summary_dir *d = &t->sum.dir[dir];
	enum lat_kind kind = total_lat_kind(t, dir);
	uint64_t ns;

	html_dir_head(b, t, dir);
	html_rate_cells(b, t, dir);
	for (unsigned i = 0; i < 3; i++) {
		bool known = total_percentile(t, dir, kind, percents[i], &ns);

		html_number(b, known ? readable_latency((double)ns).text : "?");
	}
	html_number(b, kind < LAT_KINDS ? readable_latency((double)d->lat[kind].max).text : "");
	html_exact(b, d->errors);
}

static unsigned count_rows(const struct html_run *h)
{
	unsigned rows = 0;

	for (size_t i = 0; i < h->ngroups; i++) {
		for (unsigned dir = 0; dir < DIR_DATA; dir++)
			rows += html_has_dir(h->groups[i].total, dir);
	}
	return rows;
}

static void put_run_head(struct html_run *h, unsigned rows)
{
	struct strbuf *b = h->b;

	html_printf(
		b,
		"<tbody>\n<tr><th scope=\"rowgroup\" rowspan=\"%u\"><a href=\"#r%u\">Run %u</a><br>%s</th>",
		rows ? rows : 1, h->number, h->number, h->source);
}

static void put_run_rows(struct html_run *h)
{
	unsigned rows = count_rows(h), row = 0;

	put_run_head(h, rows);
	for (size_t i = 0; i < h->ngroups; i++) {
		for (unsigned dir = 0; dir < DIR_DATA; dir++) {
			if (!html_has_dir(h->groups[i].total, dir))
				continue;
			strbuf_puts(h->b, row++ ? "<tr>" : "");
			html_cell_begin(h->b);
			html_group_names(h->b, &h->groups[i]);
			html_cell_end(h->b);
			put_figure_cells(h->b, h->groups[i].total, dir);
			html_row_end(h->b);
		}
	}
	if (!rows)
		strbuf_puts(h->b, "<td colspan=\"9\">no I/O</td></tr>\n");
	strbuf_puts(h->b, "</tbody>\n");
}

void html_overview(struct html_run *run, size_t n, struct strbuf *b)
{
	static const char *const column[] = { "Run",  "Jobs", "Direction", "#IOPS",    "#Bandwidth",
					      "#p50", "#p99", "#p99.9",    "#Maximum", "#Errors" };

	strbuf_puts(b, "<section class=\"first\" aria-labelledby=\"overview\">\n<h2 "
		       "id=\"overview\">Overview</h2>\n");
	html_table_head(b,
			"The runs of this page; latencies are response times under a rate, else completion "
			"latencies where those were measured",
			column, 10);
	for (size_t i = 0; i < n; i++)
		put_run_rows(&run[i]);
	html_table_foot(b);
	strbuf_puts(b, "<p class=\"note\">Use <code>fiord compare</code> to see whether a difference is more "
		       "than chance.</p>\n</section>\n");
}
