/* svg_load.c: curves of latency against load. */
#include <math.h>
#include <stdlib.h>
#include "strbuf.h"
#include "svg_frame.h"

static void draw_curve(struct strbuf *b, const struct svg_frame *f, const struct svg_load_curve *c)
{
	struct svg_path p = { .b = b };

	strbuf_printf(b, "<path class=\"line %s\" d=\"", svg_look_class(c->look));
	for (size_t i = 0; i < c->n; i++)
		svg_path_to(&p, svg_x(f, c->v[i].x), svg_y(f, c->v[i].y));
	svg_path_lift(&p);
	strbuf_puts(b, "\"/>");
	for (size_t i = 0; i < c->n; i++) {
		long x = svg_x(f, c->v[i].x), y = svg_y(f, c->v[i].y);

		if (c->v[i].highest > c->v[i].lowest)
			strbuf_printf(b, "<path class=\"spread %s\" d=\"M%ld %ldV%ld\"/>",
				      svg_look_class(c->look), x, svg_y(f, c->v[i].lowest),
				      svg_y(f, c->v[i].highest));
		if (c->v[i].answer)
			svg_put_ring(b, x, y);
		strbuf_printf(b, "<path class=\"dot %s%s\" d=\"M%ld %ldh0\"><title>",
			      c->v[i].overloaded ? "square " : "", svg_look_class(c->look), x, y);
		html_printf(b, "%s</title></path>", c->v[i].name);
		if (i == c->knee)
			strbuf_printf(b, "<path class=\"line %s\" d=\"M%ld %ldV%ld\"/>",
				      svg_look_class(c->look), x, y, svg_y(f, f->y.lo));
	}
}

static void draw_level(struct strbuf *b, const struct svg_frame *f, const struct svg_level *l)
{
	long from = svg_x(f, l->from), to = svg_x(f, l->to);

	if (l->highest > l->lowest)
		strbuf_printf(b, "<path class=\"area p99\" d=\"M%ld %ldH%ldV%ldH%ldz\"/>", from,
			      svg_y(f, l->lowest), to, svg_y(f, l->highest), from);
	strbuf_printf(b, "<path class=\"line p99\" d=\"M%ld %ldH%ld\"/>", from, svg_y(f, l->y), to);
}

static void draw_levels(struct strbuf *b, const struct svg_frame *f)
{
	const struct svg_axes *a = f->axes;

	for (size_t i = 0; i < a->nlevels; i++) {
		draw_level(b, f, &a->level[i]);
		if (i)
			strbuf_printf(b, "<path class=\"line limit\" d=\"M%ld 0V%u\"/>",
				      svg_x(f, a->level[i].from), f->height * SVG_FINE);
	}
}

static void add_levels(struct svg_frame *f, struct svg_extent *e)
{
	const struct svg_axes *a = f->axes;

	for (size_t i = 0; i < a->nlevels; i++)
		svg_extent_add(e, a->level[i].highest);
	if (a->nlevels)
		f->keys[f->nkeys++] = (struct svg_key){ a->level_name, SVG_P99, NAN };
}

static void set_axes(struct svg_frame *f, const struct svg_extent *e, double most)
{
	const struct svg_axes *a = f->axes;

	if (a->nx_values)
		svg_axis_values(&f->x, a->x_name, a->x_values, a->nx_values);
	else
		svg_axis_linear(&f->x, SVG_IOPS, most);
	if (a->log && e->min > 0)
		svg_axis_log(&f->y, e->min, e->max);
	else
		svg_axis_linear(&f->y, a->unit, e->max);
}

void svg_load(struct strbuf *b, const struct svg_axes *a, const struct svg_load_curve *curve, size_t n)
{
	struct svg_frame f = { .axes = a, .height = SVG_HEIGHT };
	struct svg_extent e = { NAN, 0 };
	struct svg_mark *mark;
	bool answer = false;
	double most = 0;

	for (size_t i = 0; i < n; i++) {
		if (curve[i].n)
			f.keys[f.nkeys++] = (struct svg_key){ curve[i].name, curve[i].look, NAN };
		for (size_t k = 0; k < curve[i].n; k++) {
			svg_extent_add(&e, curve[i].v[k].y);
			svg_extent_add(&e, curve[i].v[k].lowest);
			svg_extent_add(&e, curve[i].v[k].highest);
			most = fmax(most, curve[i].v[k].x);
			answer |= curve[i].v[k].answer;
		}
	}
	if (!f.nkeys)
		return;
	if (a->limit_name) {
		f.keys[f.nkeys++] = (struct svg_key){ a->limit_name, SVG_LIMIT, a->limit, "limit" };
		svg_extent_add(&e, a->limit);
	}
	add_levels(&f, &e);
	if (answer)
		f.keys[f.nkeys++] = (struct svg_key){ a->answer_name, SVG_ANSWER, NAN };
	set_axes(&f, &e, most);
	mark = svg_place_labels(&f, curve, n);
	b->failed |= !mark;
	svg_open(b, &f);
	if (a->limit_name)
		strbuf_printf(b, "<path class=\"line limit\" d=\"M0 %ldH%d\"/>", svg_y(&f, a->limit),
			      SVG_WIDE);
	for (size_t i = 0; i < n; i++)
		draw_curve(b, &f, &curve[i]);
	draw_levels(b, &f); /* many points would hide them */
	svg_close(b, &f);
	free(mark);
}
