/* sweep_html.c: a sweep as one HTML page. */
#include "strbuf.h"
#include "sweep_report.h"

#include <errno.h>
#include <math.h>
#include "html_page.h"

#define TABLES_MAX 24
#define SHADES     8 /* of cells; html.css */

static const struct result_units units = { .kb_base = 1024 };

/* ---- answer ---- */

/* look: "", or " bad" and " warn" of html.css. */
static void put_tile(struct strbuf *b, const char *look, const char *name, const struct strbuf *value,
		     const struct strbuf *where)
{
	strbuf_printf(b, "<div class=\"tile%s\"><dt>%s</dt><dd class=\"v\">%s</dd><dd>", look, name,
		      strbuf_str(value));
	html_printf(b, "%s</dd></div>\n", strbuf_str(where));
	b->failed |= value->failed || where->failed;
}

/* Finds the point with the greatest figure; s->points if there is none. */
static size_t best_point(const struct sweep *s, size_t group, double (*figure)(const struct sweep_figures *))
{
	size_t best = s->npoints;
	double most = 0;

	for (size_t i = 0; i < s->npoints; i++) {
		const struct sweep_figures *f = s->points[i].group ? &s->points[i].group[group] : NULL;

		if (f && f->known && s->points[i].state != SWEEP_FAILED && figure(f) > most) {
			most = figure(f);
			best = i;
		}
	}
	return best;
}

static double by_iops(const struct sweep_figures *f)
{
	return f->iops;
}

static double by_bw(const struct sweep_figures *f)
{
	return f->bw_bytes;
}

static double by_low_p99(const struct sweep_figures *f)
{
	return f->percentiles && f->p99_ns ? 1 / (double)f->p99_ns : 0;
}

static void put_best(struct strbuf *b, const struct sweep *s, size_t group, const char *name,
		     double (*figure)(const struct sweep_figures *))
{
	size_t best = best_point(s, group, figure);
	struct strbuf value = { 0 }, where = { 0 };
	const struct sweep_figures *f;

	if (best == s->npoints)
		return;
	f = &s->points[best].group[group];
	if (figure == by_iops)
		strbuf_puts(&value, readable_count(f->iops).text);
	else if (figure == by_bw)
		strbuf_puts(&value, readable_bytes_rate(f->bw_bytes, &units).text);
	else
		strbuf_puts(&value, readable_latency((double)f->p99_ns).text);
	sweep_put_values(&where, s, best);
	put_tile(b, "", name, &value, &where);
	strbuf_fini(&value);
	strbuf_fini(&where);
}

static void put_knee_tiles(struct strbuf *b, const struct sweep *s, size_t group)
{
	for (size_t i = 0; i < s->ncurves; i++) {
		const struct sweep_curve *c = &s->curves[i];
		struct strbuf value = { 0 }, where = { 0 };
		const struct sweep_figures *f;

		if (c->group != group || c->knee == c->npoints)
			continue;
		f = sweep_curve_figures(s, c, c->knee);
		html_printf(&value, "%s=%s", s->matrix.dims[s->load].name,
			    s->points[c->points[c->knee]].value[s->load]);
		strbuf_printf(&where, "%s%s%s IOPS, mean %s", c->name, *c->name ? ": " : "",
			      readable_count(f->iops).text, readable_latency(f->mean_ns).text);
		sweep_put_knee_interval(&where, s, c);
		if (c->knee_last + 1 == c->npoints)
			strbuf_puts(&where, "; the knee may lie beyond");
		put_tile(b, "", "Knee", &value, &where);
		strbuf_fini(&value);
		strbuf_fini(&where);
	}
}

static bool has_failed(const struct sweep *s, const struct sweep_point *p)
{
	(void)s;
	return p->state == SWEEP_FAILED;
}

static bool is_overloaded(const struct sweep *s, const struct sweep_point *p)
{
	for (size_t g = 0; p->group && g < s->groups; g++)
		if (p->group[g].overloaded)
			return true;
	return false;
}

/* Names the first point with a problem, and says how many points have one. */
static void put_wrong(struct strbuf *b, const struct sweep *s, const char *look, const char *name,
		      bool (*wrong)(const struct sweep *, const struct sweep_point *))
{
	struct strbuf value = { 0 }, where = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < s->npoints; i++)
		if (wrong(s, &s->points[i]) && n++ == 0)
			sweep_put_values(&where, s, i);
	strbuf_printf(&value, "%zu of %zu points", n, sweep_reported(s));
	if (n > 1)
		strbuf_printf(&where, " and %zu more", n - 1);
	if (n)
		put_tile(b, look, name, &value, &where);
	strbuf_fini(&value);
	strbuf_fini(&where);
}

static void put_answer(struct strbuf *b, const struct sweep *s, size_t group)
{
	strbuf_puts(b, "<dl class=\"status\">\n");
	put_wrong(b, s, " bad", "Failed", has_failed);
	put_wrong(b, s, " warn", "Not steady", sweep_point_not_steady);
	put_wrong(b, s, " warn", "Overloaded", is_overloaded);
	put_knee_tiles(b, s, group);
	put_best(b, s, group, "Most IOPS", by_iops);
	put_best(b, s, group, "Most bandwidth", by_bw);
	put_best(b, s, group, "Lowest p99", by_low_p99);
	strbuf_puts(b, "</dl>\n");
}

/* ---- tables with shades ---- */

/* A table of two options; the others are those of point `first`. */
struct heat {
	const struct sweep *s;
	size_t group, rows_dim, cols_dim, first;
	size_t row_stride, col_stride;
	bool latency;
	double max;
};

static const struct sweep_point *heat_point(const struct heat *h, size_t row, size_t col)
{
	return &h->s->points[h->first + row * h->row_stride + col * h->col_stride];
}

static double heat_value(const struct heat *h, size_t row, size_t col)
{
	const struct sweep_point *p = heat_point(h, row, col);
	const struct sweep_figures *f = p->group ? &p->group[h->group] : NULL;

	if (p->state == SWEEP_FAILED || !f || !f->known || (h->latency && !f->percentiles))
		return NAN;
	return h->latency ? (double)f->p99_ns : f->iops;
}

static void put_heat_cell(struct strbuf *b, const struct heat *h, size_t row, size_t col)
{
	const struct sweep_point *p = heat_point(h, row, col);
	double v = heat_value(h, row, col);

	if (isnan(v)) {
		strbuf_printf(b, "<td class=\"n\">%s</td>", p->state == SWEEP_FAILED ? "failed" : "-");
		return;
	}
	strbuf_printf(b, "<td class=\"n s%d\">", h->max > 0 ? 1 + (int)lround((SHADES - 1) * v / h->max) : 1);
	if (h->latency)
		strbuf_puts(b, readable_latency(v).text);
	else
		strbuf_puts(b, readable_count(v).text);
	strbuf_puts(b, p->group[h->group].steady == SWEEP_NOT_STEADY ? "*</td>" : "</td>");
}

static void put_heat(struct strbuf *b, struct heat *h)
{
	const struct sweep_dim *rows = &h->s->matrix.dims[h->rows_dim],
			       *cols = &h->s->matrix.dims[h->cols_dim];

	h->max = 0;
	for (size_t r = 0; r < rows->value.n; r++)
		for (size_t c = 0; c < cols->value.n; c++)
			h->max = fmax(h->max, heat_value(h, r, c));
	html_printf(b, "<div class=\"scroll\" tabindex=\"0\"><table class=\"%s\"><caption>%s",
		    h->latency ? "shade-lat" : "shade-iops", h->latency ? "p99 latency" : "IOPS");
	for (size_t k = 0; k < h->s->matrix.ndims; k++)
		if (k != h->rows_dim && k != h->cols_dim)
			html_printf(b, ", %s=%s", h->s->matrix.dims[k].name, h->s->points[h->first].value[k]);
	html_printf(b, "</caption>\n<thead><tr><th>%s</th>", rows->name);
	for (size_t c = 0; c < cols->value.n; c++)
		html_printf(b, "<th class=\"n\">%s=%s</th>", cols->name, cols->value.v[c]);
	strbuf_puts(b, "</tr></thead>\n<tbody>\n");
	for (size_t r = 0; r < rows->value.n; r++) {
		html_row(b, rows->value.v[r]);
		for (size_t c = 0; c < cols->value.n; c++)
			put_heat_cell(b, h, r, c);
		html_row_end(b);
	}
	strbuf_puts(b, "</tbody></table></div>\n");
}

/* Tables of the load by the option beside it, for all values of the others. */
static void put_heats(struct strbuf *b, const struct sweep *s, size_t group)
{
	struct heat h = { .s = s, .group = group, .rows_dim = s->load, .cols_dim = s->load ? 0 : 1 };
	size_t tables = 0;

	if (s->matrix.ndims < 2 || s->search)
		return;
	h.row_stride = sweep_matrix_stride(&s->matrix, h.rows_dim);
	h.col_stride = sweep_matrix_stride(&s->matrix, h.cols_dim);
	for (size_t i = 0; i < s->npoints; i++) {
		if (i / h.row_stride % s->matrix.dims[h.rows_dim].value.n ||
		    i / h.col_stride % s->matrix.dims[h.cols_dim].value.n)
			continue;
		if (++tables > TABLES_MAX)
			break;
		h.first = i;
		h.latency = false;
		put_heat(b, &h);
		h.latency = true;
		put_heat(b, &h);
	}
	if (tables > TABLES_MAX)
		strbuf_printf(b, "<p class=\"note\">The page shows the first %d pairs of tables.</p>\n",
			      TABLES_MAX);
}

/* ---- all points ---- */

static void put_point_latency(struct strbuf *b, bool known, double ns)
{
	html_number(b, known ? readable_latency(ns).text : "");
}

static void put_point_cells(struct strbuf *b, const struct sweep_figures *f)
{
	bool lat = f->kind != LAT_KINDS;

	html_number(b, readable_count(f->iops).text);
	html_number(b, readable_bytes_rate(f->bw_bytes, &units).text);
	put_point_latency(b, lat, f->mean_ns);
	put_point_latency(b, f->percentiles, (double)f->p50_ns);
	put_point_latency(b, f->percentiles, (double)f->p99_ns);
	put_point_latency(b, f->percentiles, (double)f->p999_ns);
	put_point_latency(b, lat, (double)f->max_ns);
	html_exact(b, f->errors);
}

static void put_where(struct strbuf *b, const struct where *w)
{
	for (unsigned i = 0; i < WHERE_COLUMNS; i++)
		put_point_latency(b, where_mean(w, i) > 0, where_mean(w, i));
}

static void put_asked(struct strbuf *b, const struct sweep_figures *f)
{
	html_number(b, f->rated && f->asked_iops > 0 ? readable_count(f->asked_iops).text : "");
	html_number(b, f->rated ? readable_exact(f->unissued).text : "");
}

static void put_state(struct strbuf *b, const struct sweep_point *p, size_t group)
{
	if (p->state == SWEEP_FAILED)
		html_printf(b, "failed: %s", p->error);
	else if (p->group && p->group[group].steady == SWEEP_NOT_STEADY)
		strbuf_puts(b, "not steady*");
	else if (p->group && p->group[group].overloaded)
		strbuf_puts(b, "overloaded");
	else
		strbuf_puts(b, p->state == SWEEP_WAITING ? "not run" : "done");
}

static void put_point(struct strbuf *b, const struct sweep *s, const struct sweep_point *p, size_t group)
{
	html_row(b, p->value[0]);
	for (size_t k = 1; k < s->matrix.ndims; k++)
		html_cell(b, p->value[k]);
	if (sweep_has_rate(s, group))
		put_asked(b, p->group ? &p->group[group] : &(struct sweep_figures){ 0 });
	if (p->group && p->group[group].known)
		put_point_cells(b, &p->group[group]);
	else
		for (unsigned i = 0; i < 8; i++)
			html_cell(b, NULL);
	if (sweep_has_where(s, group))
		put_where(b, p->group ? &p->group[group].where : &(struct where){ 0 });
	html_cell_begin(b);
	put_state(b, p, group);
	html_cell_end(b);
	html_cell(b, p->source);
	html_row_end(b);
}

static void put_points(struct strbuf *b, const struct sweep *s, size_t group)
{
	static const char *const figure[] = { "#IOPS", "#Bandwidth", "#Mean", "#p50",
					      "#p99",  "#p99.9",     "#Max",  "#Errors" };
	static const char *const where[WHERE_COLUMNS] = { "#Submission", "#Scheduler", "#Device",
							  "#Completion", "#Slowest 1 %" };
	const char *column[SWEEP_DIMS_MAX + 12 + WHERE_COLUMNS];
	size_t n = 0;

	for (size_t k = 0; k < s->matrix.ndims; k++)
		column[n++] = s->matrix.dims[k].name;
	if (sweep_has_rate(s, group)) {
		column[n++] = "#Asked IOPS";
		column[n++] = "#Not issued";
	}
	for (size_t i = 0; i < 8; i++)
		column[n++] = figure[i];
	for (unsigned i = 0; i < WHERE_COLUMNS && sweep_has_where(s, group); i++)
		column[n++] = where[i];
	column[n++] = "State";
	column[n++] = "Document";
	html_table(b, "All points", column, n);
	for (size_t i = 0; i < s->npoints; i++)
		if (s->points[i].state != SWEEP_SKIPPED)
			put_point(b, s, &s->points[i], group);
	html_table_end(b);
}

static void put_kinds(struct strbuf *b, const struct sweep *s, size_t group)
{
	struct strbuf kinds = { 0 };

	if (sweep_put_kinds(&kinds, s, group))
		strbuf_printf(b, "<p class=\"note\">Mean, percentiles and maximum: %s.</p>\n",
			      strbuf_str(&kinds));
	strbuf_end(&kinds, b);
}

static void put_group(struct strbuf *b, const struct sweep *s, size_t group)
{
	strbuf_printf(b, "<section%s aria-labelledby=\"group%zu\">\n<h2 id=\"group%zu\">",
		      group ? "" : " class=\"first\"", group, group);
	html_printf(b, "%s</h2>\n", s->groups ? s->group_name[group] : "No results");
	put_answer(b, s, group);
	if (s->groups) {
		html_sweep_curves(b, s, group);
		put_heats(b, s, group);
	}
	put_points(b, s, group);
	put_kinds(b, s, group);
	strbuf_puts(b, "</section>\n");
}

static void put_conditions(struct strbuf *b, const struct sweep *s)
{
	bool windows = false, mark = false;

	for (size_t i = 0; i < s->npoints; i++) {
		for (size_t g = 0; s->points[i].group && g < s->groups; g++)
			windows |= s->points[i].group[g].steady != SWEEP_NO_CRITERION;
		mark |= sweep_point_not_steady(s, &s->points[i]);
	}
	if (s->conditions)
		html_printf(b, "<p>%s</p>\n", s->conditions);
	if (windows)
		strbuf_puts(b,
			    "<p>For jobs with steadystate, the figures are those of the last window of the "
			    "criterion.</p>\n");
	if (mark)
		strbuf_puts(b, "<p>* The jobs ended by their runtime before they were steady.</p>\n");
}

static void put_dim(struct strbuf *b, const struct sweep *s, size_t k)
{
	const struct sweep_dim *dim = &s->matrix.dims[k];

	strbuf_printf(b, "%s%s: ", k ? ", " : "", dim->name);
	if (s->search && k == s->load)
		strbuf_printf(b, "searched from %s to %s", dim->value.v[0], dim->value.v[dim->value.n - 1]);
	else
		strbuf_printf(b, "%zu value%s", dim->value.n, dim->value.n == 1 ? "" : "s");
}

/* The answers of searches come first. */
static void put_answers(struct strbuf *b, const struct sweep *s)
{
	for (size_t i = 0; i < s->nanswers; i++)
		html_printf(b, "<p class=\"answer\">%s</p>\n", s->answers[i]);
}

static void put_note_list(struct strbuf *b, const struct sweep *s)
{
	size_t n = 0;

	if (s->note)
		strbuf_puts(b, "<h3>Notes</h3>\n<ul>\n");
	for (const struct sweep_note *note = s->note; note; note = note->next) {
		struct strbuf text = { 0 };

		if (n++ >= SWEEP_NOTES_MAX)
			continue;
		sweep_put_note(&text, s, note);
		html_printf(b, "<li>%s</li>\n", strbuf_str(&text));
		strbuf_end(&text, b);
	}
	if (n > SWEEP_NOTES_MAX)
		strbuf_printf(b, "<li>The documents of the points have %zu more notes.</li>\n",
			      n - SWEEP_NOTES_MAX);
	if (s->note)
		strbuf_puts(b, "</ul>\n");
}

int report_sweep_html(const struct sweep *s, struct strbuf *b)
{
	struct strbuf sub = { 0 };
	size_t groups = s->groups ? s->groups : 1;

	for (size_t k = 0; k < s->matrix.ndims; k++)
		put_dim(&sub, s, k);
	report_html_page_begin(b, "Sweep", strbuf_str(&sub));
	put_answers(b, s);
	html_sweep_searched(b, s);
	for (size_t g = 0; g < groups; g++)
		put_group(b, s, g);
	strbuf_puts(b,
		    "<section aria-labelledby=\"methods\">\n<h2 id=\"methods\">Methods</h2>\n"
		    "<p>The figures are of all directions together. The latency lat is the "
		    "time from the submission of an I/O to its completion, clat the part of it after the "
		    "submission, and resp, under a rate, the time since the I/O was due. Under a rate, a "
		    "point is overloaded if more than "
		    "1 % of the I/Os that were due were not issued at the end: its latencies grow with the "
		    "runtime.</p>\n<p>The knee "
		    "is the point with the greatest IOPS per mean latency (Kleinrock's "
		    "power). Beyond it the latency grows by a larger factor than the IOPS. "
		    "Values around it whose IOPS per mean latency are within 5 % of the greatest are named "
		    "beside it, because noise may have chosen among them.</p>\n");
	put_conditions(b, s);
	put_note_list(b, s);
	strbuf_puts(b, "</section>\n</main>\n");
	report_html_page_end(b, "The documents of the points are in the directory of the sweep (-d): "
				"<code>fiord report</code> and "
				"<code>fiord compare</code> read them.");
	strbuf_end(&sub, b);
	return b->failed ? -ENOMEM : 0;
}
