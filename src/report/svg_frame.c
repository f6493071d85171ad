#include "svg_frame.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "strbuf.h"

#define LEGEND_ROW   18
#define LEGEND_WIDTH 280 /* fits a screen of 360 px */
#define SAMPLE       22  /* the length of a line in the legend */
#define ABOVE        24  /* room for the unit of the y axis */
#define TOP          6   /* above the legend */
#define GAP          8   /* below the legend, if the y axis has no unit */
#define LETTER       7   /* the width of a letter, about */
#define BELOW        42  /* room for ticks and the unit of the x axis */
#define LABEL_GAP    13  /* between labels at line ends */
#define LABELS_MAX   16

const char *svg_look_class(enum svg_look look)
{
	static const char *const name[SVG_LOOKS] = { "read", "write", "trim",  "p50",   "p99",   "p999",
						     "max",  "mean",  "other", "limit", "answer" };

	return name[look];
}

void svg_extent_add(struct svg_extent *e, double v)
{
	if (v > 0)
		e->min = fmin(e->min, v);
	e->max = fmax(e->max, v);
}

long svg_x(const struct svg_frame *f, double v)
{
	return lround(svg_axis_part(&f->x, v) * SVG_WIDE);
}

long svg_y(const struct svg_frame *f, double v)
{
	return lround((1 - svg_axis_part(&f->y, v)) * f->height * SVG_FINE);
}

/* The width of text of 12 px: an estimate that is rather too large. */
static unsigned text_px(const char *text)
{
	return (unsigned)strlen(text) * 7;
}

static unsigned key_px(const struct svg_key *k)
{
	return SAMPLE + 6 + text_px(k->name) + 16;
}

void svg_put_ring(struct strbuf *b, long x, long y)
{
	strbuf_printf(
		b, "<path class=\"dot ring\" d=\"M%ld %ldh0\"/><path class=\"dot hole\" d=\"M%ld %ldh0\"/>",
		x, y, x, y);
}

static void put_ring_key(struct strbuf *b, unsigned x, unsigned y)
{
	svg_put_ring(b, x, y);
	strbuf_printf(b, "<path class=\"dot answer\" d=\"M%u %uh0\"/>", x, y);
}

static void put_key(struct strbuf *b, const struct svg_frame *f, const struct svg_key *k, unsigned x,
		    unsigned y)
{
	if (f->swatches)
		strbuf_printf(b, "<rect class=\"bar %s\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"10\"/>",
			      svg_look_class(k->look), x, y - 9, SAMPLE);
	else if (k->look == SVG_ANSWER)
		put_ring_key(b, x + SAMPLE / 2, y - 4);
	else if (k->dot)
		strbuf_printf(b, "<path class=\"line %s dot\" d=\"M%u %uh0\"/>", svg_look_class(k->look),
			      x + SAMPLE / 2, y - 4);
	else
		strbuf_printf(b, "<path class=\"line %s\" d=\"M%u %uh%u\"/>", svg_look_class(k->look), x,
			      y - 4, SAMPLE);
	html_printf(b, "<text x=\"%u\" y=\"%u\">%s</text>", x + SAMPLE + 6, y, k->name);
}

/* Places the entries of the legend in rows. Returns the number of rows; writes nothing if b is NULL. A
   single line needs no legend. */
static unsigned legend(struct strbuf *b, const struct svg_frame *f)
{
	unsigned x = 0, row = 0;

	if (f->nkeys < 2)
		return 0;
	for (size_t i = 0; i < f->nkeys; i++) {
		const struct svg_key *k = &f->keys[i];

		if (x && x + key_px(k) > LEGEND_WIDTH) {
			x = 0;
			row++;
		}
		if (b)
			put_key(b, f, k, x, row * LEGEND_ROW + TOP + 12);
		x += key_px(k);
	}
	return row + 1;
}

/* The shades of a heat map, from the fewest I/Os or requests in a cell to the most. */
static void shades(struct strbuf *b, const struct svg_axes *a, const struct chart_heat *h)
{
	const char *counted = a->counted ? a->counted : "I/Os";
	unsigned left = 12 + LETTER * (unsigned)strlen(counted);

	html_printf(b, "<text y=\"18\">%s: 1</text>", counted);
	for (unsigned i = 1; i <= CHART_LEVELS; i++)
		strbuf_printf(b,
			      "<rect class=\"cell h%u\" x=\"%u\" y=\"8\" width=\"16\" height=\"12\">"
			      "<title>%" PRIu64 " and more</title></rect>",
			      i, left + i * 16, chart_heat_level_count(h, i));
	strbuf_printf(b, "<text x=\"%u\" y=\"18\">%" PRIu64 "</text>", left + (CHART_LEVELS + 1) * 16 + 6,
		      h->max);
}

static void open_element(struct strbuf *b, const struct svg_axes *a, const struct svg_axis *time,
			 unsigned height)
{
	strbuf_printf(b,
		      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"graph\" role=\"img\" height=\"%u\"",
		      height);
	if (time)
		strbuf_printf(b, " data-x0=\"%s\" data-x1=\"%s\"", svg_number(time->lo - a->zero_ms, 3).text,
			      svg_number(time->hi - a->zero_ms, 3).text);
	html_printf(b, " aria-label=\"%s", a->title);
	if (a->desc)
		html_printf(b, ". %s", a->desc);
	html_printf(b, "\"><title>%s</title>", a->title);
	if (a->desc)
		html_printf(b, "<desc>%s</desc>", a->desc);
}

static void put_percent(struct strbuf *b, double part)
{
	strbuf_printf(b, "%s%%", svg_number(part * 100, 2).text);
}

static void x_tick(struct strbuf *b, const struct svg_frame *f, unsigned i)
{
	double part = svg_axis_part(&f->x, f->x.tick[i].at);

	strbuf_puts(b, "<line class=\"grid\" x1=\"");
	put_percent(b, part);
	strbuf_puts(b, "\" x2=\"");
	put_percent(b, part);
	strbuf_printf(b, "\" y2=\"%u\"/><text class=\"x%s\" x=\"", f->height + 4,
		      i % (f->x.sparse ? 3 : 2) ? " odd" : "");
	put_percent(b, part);
	strbuf_printf(b, "\" y=\"%u\">%s</text>", f->height + 18, f->x.tick[i].text);
}

static void y_tick(struct strbuf *b, const struct svg_frame *f, unsigned i)
{
	double y = (double)svg_y(f, f->y.tick[i].at) / SVG_FINE;

	strbuf_printf(b,
		      "<line class=\"grid\" x2=\"100%%\" y1=\"%s\" y2=\"%s\"/><text class=\"y\" x=\"-7\" "
		      "y=\"%s\">%s</text>",
		      svg_number(y, 2).text, svg_number(y, 2).text, svg_number(y + 4, 2).text,
		      f->y.tick[i].text);
}

static const char *y_name(const struct svg_frame *f)
{
	const char *name = f->axes->y_name           ? f->axes->y_name
			   : f->y_name               ? f->y_name
			   : f->y.unit               ? f->y.unit
			   : f->axes->unit == SVG_NS ? "latency"
						     : NULL;

	return f->y.n && name && *name ? name : NULL;
}

static void axes(struct strbuf *b, const struct svg_frame *f)
{
	if (y_name(f))
		html_printf(b, "<text class=\"unit\" x=\"-50\" y=\"-11\">%s</text>", y_name(f));
	for (unsigned i = 0; i < f->x.n; i++)
		x_tick(b, f, i);
	for (unsigned i = 0; i < f->y.n; i++)
		y_tick(b, f, i);
	if (f->x.unit)
		strbuf_printf(b, "<text class=\"unit x\" x=\"50%%\" y=\"%u\">%s</text>", f->height + 35,
			      f->x.unit);
}

/* Opens the drawing. The columns of a heat map may begin before its axis, and are cut there. */
static void open_plot(struct strbuf *b, const struct svg_frame *f)
{
	const struct chart_heat *h = f->heat;

	strbuf_printf(b, "<svg class=\"plot\" width=\"100%%\" height=\"%u\" preserveAspectRatio=\"none\"",
		      f->height);
	if (!h) {
		strbuf_printf(b, " overflow=\"visible\" viewBox=\"0 0 %u %u\">", SVG_WIDE,
			      f->height * SVG_FINE);
		return;
	}
	strbuf_printf(b, " viewBox=\"%s 0 %s %u\">", svg_number((f->x.lo - h->start_ms) / h->col_ms, 4).text,
		      svg_number((f->x.hi - f->x.lo) / h->col_ms, 4).text, f->height * SVG_FINE);
}

void svg_open(struct strbuf *b, const struct svg_frame *f)
{
	unsigned rows = legend(NULL, f) + (f->heat != NULL);
	unsigned above = rows * LEGEND_ROW + (y_name(f) ? ABOVE : GAP) + (rows ? TOP : 0);
	bool time = f->axes->end_ms > f->axes->start_ms;

	open_element(b, f->axes, time ? &f->x : NULL, above + f->height + BELOW);
	legend(b, f);
	if (f->heat)
		shades(b, f->axes, f->heat);
	strbuf_printf(b, "<svg y=\"%u\" overflow=\"visible\">", above);
	axes(b, f);
	open_plot(b, f);
}

struct label {
	const struct svg_key *key;
	double y;
};

/* Sorts labels by their place, and moves them apart. */
static size_t place_labels(struct label *label, const struct svg_frame *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->nkeys && n < LABELS_MAX; i++) {
		struct label l = { &f->keys[i], (double)svg_y(f, f->keys[i].end) / SVG_FINE + 4 };
		size_t at = n;

		if (isnan(f->keys[i].end))
			continue;
		for (; at > 0 && label[at - 1].y > l.y; at--)
			label[at] = label[at - 1];
		label[at] = l;
		n++;
	}
	for (size_t i = 1; i < n; i++)
		label[i].y = fmax(label[i].y, label[i - 1].y + LABEL_GAP);
	for (size_t i = n; i-- > 0;)
		label[i].y = fmin(label[i].y, f->height + 4.0 - LABEL_GAP * (double)(n - 1 - i));
	return n;
}

static void put_mark(struct strbuf *b, const struct svg_frame *f, const struct svg_mark *m)
{
	static const int down[SVG_SIDES] = { -SVG_ABOVE_PX, SVG_LEVEL_PX, SVG_LEVEL_PX, SVG_BELOW_PX };

	strbuf_puts(b, "<text class=\"mark\" x=\"");
	put_percent(b, svg_axis_part(&f->x, m->x));
	if (m->side == SVG_RIGHT || m->side == SVG_LEFT)
		strbuf_printf(b, "\" dx=\"%d\" text-anchor=\"%s",
			      m->side == SVG_RIGHT ? SVG_BESIDE_PX : -SVG_BESIDE_PX,
			      m->side == SVG_RIGHT ? "start" : "end");
	html_printf(b, "\" y=\"%s\">%s</text>",
		    svg_number((double)svg_y(f, m->y) / SVG_FINE + down[m->side], 2).text, m->text);
}

void svg_close(struct strbuf *b, const struct svg_frame *f)
{
	struct label label[LABELS_MAX];
	size_t n = place_labels(label, f);

	strbuf_puts(b, "</svg>");
	for (size_t i = 0; i < f->nmarks; i++)
		put_mark(b, f, &f->marks[i]);
	for (size_t i = 0; i < n; i++)
		html_printf(b, "<text class=\"end %s\" x=\"100%%\" dx=\"6\" y=\"%s\">%s</text>",
			    svg_look_class(label[i].key->look), svg_number(label[i].y, 2).text,
			    label[i].key->end_name ? label[i].key->end_name : label[i].key->name);
	strbuf_puts(b, "</svg></svg>\n");
}

/* Adds a number of a path. A blank or a minus separates it from the one before. */
static void put_coordinate(struct strbuf *b, bool first, long v)
{
	if (v < 0)
		strbuf_putc(b, '-');
	else if (!first)
		strbuf_putc(b, ' ');
	strbuf_u64(b, (uint64_t)(v < 0 ? -v : v));
}

static void put_step(struct strbuf *b, bool first, long x, long y)
{
	put_coordinate(b, first, x);
	put_coordinate(b, false, y);
}

void svg_path_to(struct svg_path *p, long x, long y)
{
	if (!p->down) {
		strbuf_putc(p->b, 'M');
		put_step(p->b, true, x, y);
		p->down = p->dot = true;
		p->step = false;
	} else if (x != p->x || y != p->y) {
		if (!p->step)
			strbuf_putc(p->b, 'l');
		put_step(p->b, !p->step, x - p->x, y - p->y);
		p->step = true;
		p->dot = false;
	}
	p->x = x;
	p->y = y;
}

void svg_path_lift(struct svg_path *p)
{
	if (p->down && p->dot)
		strbuf_puts(p->b, "h0");
	p->down = false;
}
