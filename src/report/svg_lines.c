#include <math.h>
#include "strbuf.h"
#include "svg_frame.h"

/* Returns the last value that is no gap. */
static double last_value(const struct chart_line *l)
{
	for (size_t i = l->n; i-- > 0;)
		if (!isnan(l->v[i]))
			return l->v[i];
	return NAN;
}

static void open_line(struct strbuf *b, enum svg_look look)
{
	strbuf_printf(b, "<path class=\"line %s\" d=\"", svg_look_class(look));
}

/* Draws the pieces of a line between its gaps; pieces of one point are dots. */
static void draw_line(struct strbuf *b, const struct svg_frame *f, const struct svg_line *line)
{
	const struct chart_line *l = line->line;
	struct svg_path p = { .b = b };
	struct strbuf dots = { 0 };

	open_line(b, line->look);
	for (size_t i = 0; i < l->n; i++) {
		bool before = i > 0 && !isnan(l->v[i - 1]), after = i + 1 < l->n && !isnan(l->v[i + 1]);
		long x = svg_x(f, l->t_ms[i]), y = isnan(l->v[i]) ? 0 : svg_y(f, l->v[i]);

		if (isnan(l->v[i]))
			svg_path_lift(&p);
		else if (before || after)
			svg_path_to(&p, x, y);
		else
			strbuf_printf(&dots, "M%ld %ldh0", x, y);
	}
	svg_path_lift(&p);
	strbuf_puts(b, "\"/>");
	if (dots.len)
		strbuf_printf(b, "<path class=\"dot %s\" d=\"%s\"/>", svg_look_class(line->look), dots.text);
	strbuf_end(&dots, b);
}

void svg_lines(struct strbuf *b, const struct svg_axes *a, const struct svg_line *line, size_t n)
{
	struct svg_frame f = { .axes = a, .height = SVG_HEIGHT };
	struct svg_extent e = { NAN, 0 };

	for (size_t i = 0; i < n; i++) {
		const struct chart_line *l = line[i].line;

		svg_extent_add(&e, l->min);
		svg_extent_add(&e, l->max);
		if (l->n)
			f.keys[f.nkeys++] = (struct svg_key){ line[i].name, line[i].look, last_value(l),
							      .dot = l->n == 1 };
	}
	if (!f.nkeys)
		return;
	svg_axis_time(&f.x, a->start_ms, a->end_ms, a->zero_ms);
	if (a->log)
		svg_axis_log(&f.y, e.min, e.max);
	else
		svg_axis_linear(&f.y, a->unit, e.max);
	svg_open(b, &f);
	for (size_t i = 0; i < n; i++) /* dashed lines lie on solid ones, so that both can be seen */
		if (line[i].line->n)
			draw_line(b, &f, &line[i]);
	svg_close(b, &f);
}

/* The minimum, at 0 %, is often the latency of a rare shortcut. It would take half of the height, so that
   curves begin with the next point. */
static unsigned first_point(const struct chart_curve *c)
{
	return c->n > 2 ? 1 : 0;
}

static void draw_curve(struct strbuf *b, const struct svg_frame *f, const struct svg_curve *curve)
{
	const struct chart_curve *c = curve->curve;
	struct svg_path p = { .b = b };

	if (!c->n)
		return;
	open_line(b, curve->look);
	for (unsigned i = first_point(c); i < c->n; i++)
		svg_path_to(&p, svg_x(f, c->v[i].nines), svg_y(f, (double)c->v[i].ns));
	svg_path_lift(&p);
	/* The maximum is a dot. */
	strbuf_printf(b, "\"/><path class=\"dot %s\" d=\"M%ld %ldh0\"/>", svg_look_class(curve->look), p.x,
		      p.y);
}

void svg_percentiles(struct strbuf *b, const struct svg_axes *a, const struct svg_curve *curve, size_t n)
{
	struct svg_frame f = { .axes = a, .height = SVG_HEIGHT };
	struct svg_extent e = { NAN, 0 };
	double nines = 0;

	for (size_t i = 0; i < n; i++) {
		const struct chart_curve *c = curve[i].curve;

		if (!c->n)
			continue;
		f.keys[f.nkeys++] = (struct svg_key){ curve[i].name, curve[i].look, NAN };
		svg_extent_add(&e, (double)c->v[first_point(c)].ns);
		svg_extent_add(&e, (double)c->v[c->n - 1].ns);
		nines = fmax(nines, c->v[c->n - 1].nines);
	}
	if (!f.nkeys)
		return;
	svg_axis_nines(&f.x, nines);
	svg_axis_log(&f.y, e.min, e.max);
	svg_open(b, &f);
	for (size_t i = 0; i < n; i++)
		draw_curve(b, &f, &curve[i]);
	svg_close(b, &f);
}
