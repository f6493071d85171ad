/* svg_load.c: curves of latency against load. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "svg_frame.h"

static void extend(double *min, double *max, double v)
{
	*min = v > 0 ? fmin(*min, v) : *min;
	*max = fmax(*max, v);
}

static void draw(struct strbuf *b, const struct svg_frame *f, const struct svg_load_curve *c)
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
		strbuf_printf(b, "<path class=\"dot %s%s\" d=\"M%ld %ldh0\"><title>",
			      c->v[i].overloaded ? "square " : "", svg_look_class(c->look), x, y);
		svg_put_text(b, c->v[i].name);
		strbuf_puts(b, "</title></path>");
		if (i == c->knee)
			strbuf_printf(b, "<path class=\"line %s\" d=\"M%ld %ldV%ld\"/>",
				      svg_look_class(c->look), x, y, svg_y(f, f->y->lo));
	}
}

#define NARROW_PX 250 /* the plot on a narrow screen */
#define CHAR_PX   6   /* of a mark, at most */
#define LINE_PX   12

/* Returns whether the text of a new mark would lie on that of another on a narrow screen. */
static bool is_covered(const struct svg_frame *f, const struct svg_mark *mark, const struct svg_load_point *p)
{
	for (size_t i = 0; i < f->marks; i++) {
		size_t half_px = (strlen(mark[i].text) + strlen(p->label) + 1) * CHAR_PX / 2;
		long across = labs(svg_x(f, mark[i].x) - svg_x(f, p->x));

		if (across * NARROW_PX < (long)half_px * SVG_WIDE &&
		    labs(svg_y(f, mark[i].y) - svg_y(f, p->y)) < LINE_PX * SVG_FINE)
			return true;
	}
	return false;
}

/* Chooses the points whose labels have room. Returns the marks, which the caller frees; NULL without memory.
 */
static struct svg_mark *place_marks(struct svg_frame *f, const struct svg_load_curve *curve, size_t n)
{
	struct svg_mark *mark;
	size_t points = 0;

	for (size_t i = 0; i < n; i++)
		points += curve[i].n;
	mark = calloc(points + 1, sizeof(*mark));
	for (size_t i = 0; mark && i < n; i++)
		for (size_t k = 0; k < curve[i].n; k++) {
			const struct svg_load_point *p = &curve[i].v[k];

			if (p->label && !is_covered(f, mark, p))
				mark[f->marks++] = (struct svg_mark){ p->x, p->y, p->label };
		}
	f->mark = mark;
	return mark;
}

void svg_load(struct strbuf *b, const struct svg_axes *a, const struct svg_load_curve *curve, size_t n)
{
	struct svg_key *key = calloc(n + 1, sizeof(*key));
	double min = NAN, max = 0, most = 0;
	struct svg_axis x, y;
	struct svg_frame f = { .axes = a, .x = &x, .y = &y, .key = key, .height = SVG_HEIGHT };

	b->failed |= !key;
	for (size_t i = 0; key && i < n; i++) {
		if (!curve[i].n)
			continue;
		key[f.keys++] = (struct svg_key){ curve[i].name, curve[i].look, NAN };
		for (size_t k = 0; k < curve[i].n; k++) {
			extend(&min, &max, curve[i].v[k].y);
			extend(&min, &max, curve[i].v[k].lowest);
			extend(&min, &max, curve[i].v[k].highest);
			most = fmax(most, curve[i].v[k].x);
		}
	}
	if (f.keys) {
		struct svg_mark *mark;

		if (a->x_values)
			svg_axis_values(&x, a->x_name, a->x_value, a->x_values);
		else
			svg_axis_linear(&x, SVG_IOPS, most);
		if (a->log)
			svg_axis_log(&y, min, max);
		else
			svg_axis_linear(&y, a->unit, max);
		mark = place_marks(&f, curve, n);
		b->failed |= !mark;
		svg_open(b, &f);
		for (size_t i = 0; i < n; i++)
			draw(b, &f, &curve[i]);
		svg_close(b, &f);
		free(mark);
	}
	free(key);
}
