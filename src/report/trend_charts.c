/* trend_charts.c: the charts on the page of a trend. The x axis has the documents in their order. */
#include "trend_report.h"

#include <errno.h>
#include <math.h>
#include "compare_report.h"
#include "html_page.h"
#include "readable.h"

#define POINTS_MAX 400 /* of a chart; with more documents, neighbours are joined into one */

/* The charts of a set. */
struct charts {
	struct strbuf *b;
	const struct trend *t;
	const struct trend_set *s;
	size_t joined; /* documents of a point, but of the last one */
	const char **number;
	size_t npoints;
	struct arena mem;
};

static const char *keep(struct charts *c, struct strbuf *text)
{
	const char *copy = strbuf_to_arena(text, &c->mem);

	c->b->failed |= !copy;
	return copy ? copy : "";
}

static size_t end_of(const struct charts *c, size_t point)
{
	size_t end = (point + 1) * c->joined;

	return end < c->s->point.n ? end : c->s->point.n;
}

/* The numbers of documents below the axis are the first ones of their points. */
static void set_numbers(struct charts *c)
{
	c->joined = (c->s->point.n + POINTS_MAX - 1) / POINTS_MAX;
	c->npoints = (c->s->point.n + c->joined - 1) / c->joined;
	c->number = arena_array(&c->mem, c->npoints, sizeof(*c->number));
	c->b->failed |= !c->number;
	for (size_t i = 0; c->number && i < c->npoints; i++) {
		struct strbuf text = { 0 };

		strbuf_printf(&text, "%zu", i * c->joined + 1);
		c->number[i] = keep(c, &text);
	}
}

/* ---- points ---- */

static const char *point_name(struct charts *c, const struct trend_line *l, size_t point,
			      const struct trend_joined *j, size_t n)
{
	const struct trend_point *first = &c->s->point.v[point * c->joined];
	enum compare_what what = l->figure.what;
	struct strbuf text = { 0 };

	strbuf_printf(&text, "document=%s: %s, ", c->number[point], compare_value(what, j->median).text);
	if (n > 1)
		strbuf_printf(&text, "the median of %zu documents, %s to %s, from ", n,
			      compare_value(what, j->lowest).text, compare_value(what, j->highest).text);
	if (first->key)
		strbuf_printf(&text, "%s, ", first->key);
	strbuf_puts(&text, readable_time(first->time_ms).text);
	if (c->joined == 1)
		strbuf_printf(&text, ", %s", first->source);
	return keep(c, &text);
}

static void set_points(struct charts *c, size_t line, struct svg_load_curve *curve)
{
	struct svg_load_point *v = arena_array(&c->mem, c->npoints, sizeof(*v));

	c->b->failed |= !v;
	*curve = (struct svg_load_curve){
		.name = c->joined > 1 ? "median of a point's documents" : "document", .look = SVG_READ, .v = v
	};
	for (size_t i = 0; i < c->npoints && !c->b->failed; i++) {
		struct trend_joined j;
		int n = trend_join(&j, c->s, line, i * c->joined, end_of(c, i));

		c->b->failed |= n < 0;
		if (n <= 0)
			continue;
		v[curve->n] = (struct svg_load_point){
			.x = (double)i,
			.y = j.median,
			.name = point_name(c, &c->s->line.v[line], i, &j, (size_t)n),
		};
		if (n > 1) {
			v[curve->n].lowest = j.lowest;
			v[curve->n].highest = j.highest;
		}
		curve->n++;
	}
	curve->knee = curve->n;
}

/* ---- levels ---- */

static double place_of(const struct charts *c, size_t document)
{
	return (double)document / (double)c->joined;
}

static void set_levels(struct charts *c, const struct trend_line *l, struct svg_axes *axes)
{
	struct svg_level *v = arena_array(&c->mem, l->nchanges + 1, sizeof(*v));

	c->b->failed |= !v;
	for (size_t i = 0; v && i <= l->nchanges; i++) {
		size_t from = i ? l->change[i - 1].at : 0;
		size_t to = i < l->nchanges ? l->change[i].at : c->s->point.n;
		double median = i ? l->change[i - 1].after : l->first;

		v[i] = (struct svg_level){ .from = place_of(c, from),
					   .to = place_of(c, to - 1),
					   .y = median,
					   .lowest = median * fmax(0, 1 - l->noise),
					   .highest = median * (1 + l->noise) };
	}
	axes->level = v;
	axes->nlevels = v ? l->nchanges + 1 : 0;
	axes->level_name = "median, noise";
}

/* ---- charts ---- */

static enum svg_unit unit_of(enum compare_what what)
{
	return what == COMPARE_IOPS ? SVG_IOPS : what == COMPARE_BW ? SVG_BYTES_1024 : SVG_NS;
}

/* A night far above the others would press them together on a linear axis. */
static bool is_wide(const struct svg_load_curve *curve)
{
	double lowest = INFINITY, highest = 0;

	for (size_t i = 0; i < curve->n; i++) {
		lowest = fmin(lowest, curve->v[i].y);
		highest = fmax(highest, fmax(curve->v[i].y, curve->v[i].highest));
	}
	return highest > 5 * lowest;
}

static void put_caption(struct charts *c, const struct trend_line *l, const char *title)
{
	html_printf(c->b, "<figure>\n<figcaption>%s: ", title);
	if (c->joined > 1)
		strbuf_printf(c->b, "each point is the median of %zu documents, and a bar their range",
			      c->joined);
	else
		strbuf_puts(c->b, "each point is a document");
	html_printf(c->b, "; the median of each stretch, and beside it its noise of %s", trend_noise(l).text);
	if (l->nchanges)
		strbuf_puts(c->b, "; a line across all heights marks where the figure changed for good");
	strbuf_puts(c->b, ".</figcaption>\n");
}

static void put_chart(struct charts *c, size_t line)
{
	const struct trend_line *l = &c->s->line.v[line];
	struct svg_axes axes = { .unit = unit_of(l->figure.what),
				 .x_name = "document",
				 .x_values = c->number,
				 .nx_values = c->npoints };
	struct svg_load_curve curve;
	struct strbuf title = { 0 };
	char name[COMPARE_NAME];

	strbuf_printf(&title, "%s: %s", l->job, compare_figure_name(&l->figure, name));
	axes.title = keep(c, &title);
	set_points(c, line, &curve);
	set_levels(c, l, &axes);
	axes.log = axes.unit == SVG_NS && is_wide(&curve);
	if (c->b->failed || !curve.n)
		return;
	put_caption(c, l, axes.title);
	svg_load(c->b, &axes, &curve, 1);
	strbuf_puts(c->b, "</figure>\n");
}

void trend_charts_init(struct trend_charts *c, const struct trend *t)
{
	size_t changed = 0;

	for (size_t i = 0; i < t->set.n; i++)
		changed += trend_changed_lines(&t->set.v[i]);
	c->kept = changed < TREND_CHARTS_MAX ? changed : TREND_CHARTS_MAX;
	c->left = TREND_CHARTS_MAX - c->kept;
}

void trend_put_charts(struct strbuf *b, struct trend_charts *left, const struct trend *t,
		      const struct trend_set *s)
{
	size_t shown = 0;

	for (size_t i = 0; i < s->line.n && !b->failed; i++) {
		struct charts c = { .b = b, .t = t, .s = s };
		size_t *may = s->line.v[i].nchanges ? &left->kept : &left->left;

		if (!*may)
			continue;
		--*may;
		shown++;
		set_numbers(&c);
		if (!b->failed)
			put_chart(&c, i);
		arena_fini(&c.mem);
	}
	if (shown < s->line.n)
		strbuf_printf(b,
			      "<p class=\"note\">The page shows charts of %zu of %zu figures; the table has "
			      "all.</p>\n",
			      shown, s->line.n);
}
