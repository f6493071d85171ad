/* svg_labels.c: where the labels of points stand, so that they hide neither lines nor points nor other labels
   on a screen of any width. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "svg_frame.h"

#define CHAR_PX 6  /* of a label, at most */
#define HIGH_PX 10 /* a line of text */
#define FREE_PX 2  /* between a label and anything else */

/* The widths of the plot, in px: that on a phone, on paper, and on a wide screen. */
static const double widths[] = { 250, 600, 1140 };

/* In px, from the upper left corner of the plot. */
struct box {
	double left, top, right, bottom;
};

struct placing {
	const struct svg_frame *f;
	const struct svg_load_curve *curve;
	size_t curves;
	struct svg_mark *mark;
	size_t marks;
};

static double px_x(const struct svg_frame *f, double v, double wide)
{
	return svg_axis_part(&f->x, v) * wide;
}

static double px_y(const struct svg_frame *f, double v)
{
	return (double)svg_y(f, v) / SVG_FINE;
}

static struct box box_of(const struct svg_frame *f, const struct svg_mark *m, double wide)
{
	double width = (double)strlen(m->text) * CHAR_PX, x = px_x(f, m->x, wide), y = px_y(f, m->y);
	double left = m->side == SVG_RIGHT  ? x + SVG_BESIDE_PX
		      : m->side == SVG_LEFT ? x - SVG_BESIDE_PX - width
					    : x - width / 2;
	double bottom = y + (m->side == SVG_ABOVE   ? -SVG_ABOVE_PX
			     : m->side == SVG_BELOW ? SVG_BELOW_PX
						    : SVG_LEVEL_PX);

	return (struct box){ left - FREE_PX, bottom - HIGH_PX, left + width + FREE_PX, bottom + FREE_PX };
}

/* Cuts the part of a line, which begins at *from and ends at *to, to that on the inner side of an edge. */
static bool cut(double rise, double distance, double *from, double *to)
{
	if (rise == 0)
		return distance >= 0;
	if (rise < 0)
		*from = fmax(*from, distance / rise);
	else
		*to = fmin(*to, distance / rise);
	return *from <= *to;
}

/* Liang and Barsky's test. */
static bool is_crossed(const struct box *b, double x0, double y0, double x1, double y1)
{
	double from = 0, to = 1;

	return cut(x0 - x1, x0 - b->left, &from, &to) && cut(x1 - x0, b->right - x0, &from, &to) &&
	       cut(y0 - y1, y0 - b->top, &from, &to) && cut(y1 - y0, b->bottom - y0, &from, &to);
}

/* Returns whether the curve crosses the box: its line, its points, a spread or the line at the knee. */
static bool is_on_curve(const struct svg_frame *f, const struct box *b, const struct svg_load_curve *c,
			double wide)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct svg_load_point *p = &c->v[i], *last = i ? p - 1 : p;
		double x = px_x(f, p->x, wide), y = px_y(f, p->y);

		if (is_crossed(b, px_x(f, last->x, wide), px_y(f, last->y), x, y))
			return true;
		if (i == c->knee && is_crossed(b, x, y, x, f->height))
			return true;
		if (p->highest > p->lowest && is_crossed(b, x, px_y(f, p->lowest), x, px_y(f, p->highest)))
			return true;
	}
	return false;
}

static bool label_has_room(const struct placing *p, const struct svg_mark *mark, double wide)
{
	struct box b = box_of(p->f, mark, wide);

	if ((mark->side != SVG_ABOVE && b.left < 0) || b.bottom > p->f->height)
		return false;
	for (size_t i = 0; i < p->curves; i++)
		if (is_on_curve(p->f, &b, &p->curve[i], wide))
			return false;
	for (size_t i = 0; i < p->marks; i++) {
		struct box other = box_of(p->f, &p->mark[i], wide);

		if (b.left < other.right && other.left < b.right && b.top < other.bottom &&
		    other.top < b.bottom)
			return false;
	}
	return true;
}

/* Adds the label where it has room at all widths; no label if there is none. */
static void place_label(struct placing *p, const struct svg_load_point *at)
{
	for (enum svg_side side = SVG_ABOVE; side < SVG_SIDES; side++) {
		struct svg_mark mark = { at->x, at->y, at->label, side };
		size_t room = 0;

		while (room < sizeof(widths) / sizeof(*widths) && label_has_room(p, &mark, widths[room]))
			room++;
		if (room == sizeof(widths) / sizeof(*widths)) {
			p->mark[p->marks++] = mark;
			return;
		}
	}
}

struct svg_mark *svg_place_labels(struct svg_frame *f, const struct svg_load_curve *curve, size_t n)
{
	struct placing p = { .f = f, .curve = curve, .curves = n };
	size_t points = 0;

	for (size_t i = 0; i < n; i++)
		points += curve[i].n;
	p.mark = calloc(points + 1, sizeof(*p.mark));
	for (size_t i = 0; p.mark && i < n; i++)
		for (size_t k = 0; k < curve[i].n; k++)
			if (curve[i].v[k].label)
				place_label(&p, &curve[i].v[k]);
	f->marks = p.mark;
	f->nmarks = p.marks;
	return p.mark;
}
