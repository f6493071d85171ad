#include "sweep_report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "compare_report.h"
#include "screen_text.h"
#include "strbuf.h"

const char *sweep_lat_name(enum lat_kind kind)
{
	return kind == LAT_RESP ? "resp" : kind == LAT_CLAT ? "clat" : "lat";
}

bool sweep_put_kinds(struct strbuf *b, const struct sweep *s, size_t group)
{
	static const enum lat_kind order[] = { LAT_LAT, LAT_CLAT, LAT_RESP };
	size_t points[LAT_KINDS + 1] = { 0 };
	bool any = false;

	for (size_t i = 0; i < s->npoints; i++) {
		const struct sweep_figures *f = s->points[i].group ? &s->points[i].group[group] : NULL;

		points[f && f->known ? f->kind : LAT_KINDS]++;
	}
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		size_t n = points[order[i]];

		if (!n)
			continue;
		strbuf_printf(b, "%s%s", any ? ", " : "", sweep_lat_name(order[i]));
		if (n + points[LAT_KINDS] < s->npoints)
			strbuf_printf(b, " of %zu point%s", n, n == 1 ? "" : "s");
		any = true;
	}
	return any;
}

/* Adds text and blanks up to this width, and one more; right: the blanks come first. */
static void put_padded(struct strbuf *b, const char *text, size_t width, bool right)
{
	size_t len = screen_columns(text, true);

	for (size_t i = len; right && i < width; i++)
		strbuf_putc(b, ' ');
	strbuf_puts(b, text);
	for (size_t i = len; !right && i < width; i++)
		strbuf_putc(b, ' ');
	strbuf_puts(b, "  ");
}

static void put_cell(struct strbuf *b, const char *text)
{
	put_padded(b, text, 10, true);
}

static size_t dim_width(const struct sweep_dim *dim)
{
	size_t width = strlen(dim->name);

	for (size_t i = 0; i < dim->value.n; i++)
		if (strlen(dim->value.v[i]) > width)
			width = strlen(dim->value.v[i]);
	return width;
}

static void put_head(struct strbuf *b, const struct sweep *s, size_t group)
{
	static const char *const column[] = { "IOPS", "bandwidth", "mean", "p50", "p99", "p99.9", "max" };

	for (size_t k = 0; k < s->matrix.ndims; k++)
		put_padded(b, s->matrix.dims[k].name, dim_width(&s->matrix.dims[k]), true);
	if (sweep_has_rate(s, group)) {
		put_cell(b, "asked");
		put_cell(b, "not issued");
	}
	for (size_t i = 0; i < sizeof(column) / sizeof(*column); i++)
		put_cell(b, column[i]);
	for (unsigned i = 0; i < WHERE_COLUMNS && sweep_has_where(s, group); i++)
		put_cell(b, where_part_name[i]);
	strbuf_puts(b, "errors\n");
}

static void put_latency(struct strbuf *b, bool known, double ns)
{
	put_cell(b, compare_value(COMPARE_LAT_MEAN, known ? ns : 0).text);
}

static void put_asked(struct strbuf *b, const struct sweep_figures *f)
{
	char unissued[24];

	snprintf(unissued, sizeof(unissued), "%" PRIu64, f->unissued);
	put_cell(b, f->rated ? compare_value(COMPARE_IOPS, f->asked_iops).text : "-");
	put_cell(b, f->rated ? unissued : "-");
}

static void put_figures(struct strbuf *b, const struct sweep_figures *f, bool where)
{
	bool lat = f->kind != LAT_KINDS;

	put_cell(b, compare_value(COMPARE_IOPS, f->iops).text);
	put_cell(b, compare_value(COMPARE_BW, f->bw_bytes).text);
	put_latency(b, lat, f->mean_ns);
	put_latency(b, f->percentiles, (double)f->p50_ns);
	put_latency(b, f->percentiles, (double)f->p99_ns);
	put_latency(b, f->percentiles, (double)f->p999_ns);
	put_latency(b, lat, (double)f->max_ns);
	for (unsigned i = 0; i < WHERE_COLUMNS && where; i++)
		put_latency(b, true, where_mean(&f->where, i));
	strbuf_u64(b, f->errors);
}

static void put_point(struct strbuf *b, const struct sweep *s, const struct sweep_point *p, size_t group)
{
	for (size_t k = 0; k < s->matrix.ndims; k++)
		put_padded(b, p->value[k], dim_width(&s->matrix.dims[k]), true);
	if (p->group && p->group[group].known) {
		if (sweep_has_rate(s, group))
			put_asked(b, &p->group[group]);
		put_figures(b, &p->group[group], sweep_has_where(s, group));
		if (p->group[group].overloaded)
			strbuf_puts(b, "  overloaded");
	}
	if (p->group && p->group[group].steady == SWEEP_NOT_STEADY)
		strbuf_puts(b, "  not steady");
	if (p->state == SWEEP_FAILED)
		strbuf_printf(b, "  failed: %s", p->error);
	else if (p->state == SWEEP_WAITING)
		strbuf_puts(b, "not run");
	strbuf_putc(b, '\n');
}

/* Names the latency of the columns. */
static void put_kinds(struct strbuf *b, const struct sweep *s, size_t group)
{
	struct strbuf kinds = { 0 };

	if (sweep_put_kinds(&kinds, s, group))
		strbuf_printf(b, "mean, percentiles and max: %s\n", strbuf_str(&kinds));
	strbuf_end(&kinds, b);
}

void sweep_put_knee_interval(struct strbuf *b, const struct sweep *s, const struct sweep_curve *c)
{
	if (c->knee_first == c->knee_last)
		return;
	strbuf_printf(b, "; %s to %s are within %g %% of it",
		      s->points[c->points[c->knee_first]].value[s->load],
		      s->points[c->points[c->knee_last]].value[s->load], SWEEP_KNEE_WITHIN_PERCENT);
}

static void put_overload(struct strbuf *b, const struct sweep *s, size_t group)
{
	size_t n = 0;

	for (size_t i = 0; i < s->npoints; i++)
		n += s->points[i].group && s->points[i].group[group].overloaded;
	if (n)
		strbuf_printf(
			b,
			"%zu of %zu points were overloaded: more than 1 %% of the I/Os that were due were "
			"not issued at the end, so their latencies grow with the runtime\n",
			n, sweep_reported(s));
}

static void put_knees(struct strbuf *b, const struct sweep *s, size_t group)
{
	for (size_t i = 0; i < s->ncurves; i++) {
		const struct sweep_curve *c = &s->curves[i];
		const struct sweep_figures *f;

		if (c->group != group || c->knee == c->npoints)
			continue;
		f = sweep_curve_figures(s, c, c->knee);
		strbuf_printf(
			b, "knee%s%s: %s=%s, %s IOPS at a mean %s of %s (the greatest IOPS per mean latency",
			*c->name ? " of " : "", c->name, s->matrix.dims[s->load].name,
			s->points[c->points[c->knee]].value[s->load],
			compare_value(COMPARE_IOPS, f->iops).text, sweep_lat_name(f->kind),
			compare_value(COMPARE_LAT_MEAN, f->mean_ns).text);
		sweep_put_knee_interval(b, s, c);
		strbuf_puts(b, c->knee_last + 1 == c->npoints
				       ? "; no greater load was swept, so the knee may lie beyond)\n"
				       : ")\n");
	}
}

/* Counts the points with a problem. */
static void put_wrong(struct strbuf *b, const struct sweep *s)
{
	size_t failed = 0, not_steady = 0;

	for (size_t i = 0; i < s->npoints; i++) {
		failed += s->points[i].state == SWEEP_FAILED;
		not_steady += sweep_point_not_steady(s, &s->points[i]);
	}
	if (failed)
		strbuf_printf(b, "%zu of %zu points failed\n", failed, sweep_reported(s));
	if (not_steady)
		strbuf_printf(
			b,
			"%zu of %zu points were not steady: the jobs ended by their runtime before they met "
			"the criterion; the figures are those of the last window\n",
			not_steady, sweep_reported(s));
}

void sweep_put_values(struct strbuf *b, const struct sweep *s, size_t point)
{
	for (size_t k = 0; k < s->matrix.ndims; k++)
		strbuf_printf(b, "%s%s=%s", k ? " " : "", s->matrix.dims[k].name, s->points[point].value[k]);
}

void sweep_put_note(struct strbuf *b, const struct sweep *s, const struct sweep_note *note)
{
	if (note->points > 1 && note->points == sweep_reported(s)) {
		strbuf_puts(b, "all points");
	} else {
		sweep_put_values(b, s, note->first);
		if (note->points > 1)
			strbuf_printf(b, " and %zu more", note->points - 1);
	}
	strbuf_printf(b, ": %s", note->text);
}

/* Returns whether the note need not be printed: it stands above the table already, and all points have it. */
static bool is_above_table(const struct sweep *s, const struct sweep_note *note)
{
	size_t len = strlen(note->text);

	if (!s->plan_notes || note->points < sweep_reported(s))
		return false;
	for (const char *at = s->plan_notes; (at = strstr(at, note->text)); at++)
		if (at >= s->plan_notes + 6 && !strncmp(at - 6, "note: ", 6) && at[len] == '\n')
			return true;
	return false;
}

static void put_notes(struct strbuf *b, const struct sweep *s)
{
	size_t n = 0;

	for (const struct sweep_note *note = s->note; note; note = note->next) {
		if (is_above_table(s, note) || n++ >= SWEEP_NOTES_MAX)
			continue;
		strbuf_puts(b, "note: ");
		sweep_put_note(b, s, note);
		strbuf_putc(b, '\n');
	}
	if (n > SWEEP_NOTES_MAX)
		strbuf_printf(b, "note: the documents of the points have %zu more notes\n",
			      n - SWEEP_NOTES_MAX);
}

static void put_answers(struct strbuf *b, const struct sweep *s)
{
	for (size_t i = 0; i < s->nanswers; i++)
		strbuf_printf(b, "%s\n", s->answers[i]);
	if (s->nanswers)
		strbuf_putc(b, '\n');
}

int report_sweep_text(const struct sweep *s, struct strbuf *b)
{
	size_t groups = s->groups ? s->groups : 1;

	put_answers(b, s);
	for (size_t g = 0; g < groups; g++) {
		if (s->groups > 1)
			strbuf_printf(b, "%s%s:\n", g ? "\n" : "", s->group_name[g]);
		put_head(b, s, g);
		for (size_t i = 0; i < s->npoints; i++)
			if (s->points[i].state != SWEEP_SKIPPED)
				put_point(b, s, &s->points[i], g);
		put_kinds(b, s, g);
		put_overload(b, s, g);
		put_knees(b, s, g);
	}
	put_wrong(b, s);
	if (s->conditions)
		strbuf_printf(b, "%s\n", s->conditions);
	put_notes(b, s);
	return b->failed ? -ENOMEM : 0;
}
