#include <math.h>
#include "readable.h"
#include "strbuf.h"
#include "svg_frame.h"

#define BAR_ROW         38 /* px: a line of text and the bar below it */
#define BAR_HEIGHT      14
#define NAME_MAX_LENGTH 28

static void draw_set(struct strbuf *b, const struct svg_frame *f, const struct chart_histogram *h,
		     unsigned set, enum svg_look look)
{
	struct svg_path p = { .b = b };

	if (!h->total[set])
		return;
	strbuf_printf(b, "<path class=\"line area %s\" d=\"", svg_look_class(look));
	svg_path_to(&p, svg_x(f, h->bound_ns[0]), svg_y(f, 0));
	for (unsigned i = 0; i < h->n; i++) {
		long y = svg_y(f, (double)h->count[set][i] / (double)h->total[set] * 100);

		svg_path_to(&p, svg_x(f, h->bound_ns[i]), y);
		svg_path_to(&p, svg_x(f, h->bound_ns[i + 1]), y);
	}
	svg_path_to(&p, svg_x(f, h->bound_ns[h->n]), svg_y(f, 0));
	strbuf_puts(b, "\"/>");
}

void svg_histogram(struct strbuf *b, const struct svg_axes *a, const struct chart_histogram *h,
		   const struct svg_set *set)
{
	struct svg_frame f = { .axes = a, .y_name = "% of I/Os", .height = SVG_HEIGHT };

	for (unsigned i = 0; i < h->sets; i++)
		if (h->total[i])
			f.keys[f.nkeys++] = (struct svg_key){ set[i].name, set[i].look, NAN };
	if (!f.nkeys)
		return;
	svg_axis_log_ticks(&f.x, h->bound_ns[0], h->bound_ns[h->n]);
	f.x.unit = a->x_name ? a->x_name : "latency";
	svg_axis_linear(&f.y, SVG_PERCENT, h->max * 100);
	svg_open(b, &f);
	for (unsigned i = 0; i < h->sets; i++)
		draw_set(b, &f, h, i, set[i].look);
	svg_close(b, &f);
}

static double bar_length(const struct svg_bar *bar, unsigned parts)
{
	double sum = 0;

	for (unsigned i = 0; i < parts; i++)
		sum += fmax(bar->part[i], 0);
	return sum;
}

/* Adds a name, cut at a character's end if it is long. */
static void put_bar_name(struct strbuf *b, const char *name)
{
	char text[NAME_MAX_LENGTH + 1];
	size_t n = 0;

	while (n < NAME_MAX_LENGTH && name[n]) {
		text[n] = name[n];
		n++;
	}
	while (name[n] && n > 0 && ((unsigned char)name[n] & 0xc0) == 0x80)
		n--;
	text[n] = '\0';
	html_text(b, text);
	if (name[n])
		strbuf_puts(b, "…");
}

static struct short_text bar_value(const struct svg_frame *f, double v)
{
	struct short_text t;
	struct strbuf b = strbuf_in(&t);

	if (f->axes->unit == SVG_NS)
		return readable_latency(v);
	strbuf_printf(&b, "%s %s", svg_number(v, 1).text, f->x.unit);
	return t;
}

/* Draws the parts of a bar one after the other; each has its value as a tooltip. */
static void draw_bar(struct strbuf *b, const struct svg_frame *f, const struct svg_bar *bar, unsigned row)
{
	double from = 0;

	strbuf_printf(b, "<text y=\"%u\">", row * BAR_ROW + 12);
	put_bar_name(b, bar->name);
	strbuf_printf(b, "</text><text class=\"y\" x=\"100%%\" y=\"%u\">%s</text>", row * BAR_ROW + 12,
		      bar_value(f, bar_length(bar, (unsigned)f->nkeys)).text);
	for (unsigned i = 0; i < f->nkeys; i++) {
		double until = from + fmax(bar->part[i], 0);

		html_printf(
			b,
			"<rect class=\"bar %s\" x=\"%s%%\" width=\"%s%%\" y=\"%u\" height=\"%u\"><title>%s "
			"%s</title></rect>",
			svg_look_class(f->keys[i].look), svg_number(svg_axis_part(&f->x, from) * 100, 3).text,
			svg_number((svg_axis_part(&f->x, until) - svg_axis_part(&f->x, from)) * 100, 3).text,
			row * BAR_ROW + 17, BAR_HEIGHT, f->keys[i].name, bar_value(f, bar->part[i]).text);
		from = until;
	}
}

void svg_bars(struct strbuf *b, const struct svg_axes *a, const struct svg_bar *bar, size_t n,
	      const char *const *part_name, unsigned parts)
{
	static const enum svg_look look[SVG_PARTS] = { SVG_READ, SVG_WRITE, SVG_TRIM, SVG_OTHER };
	struct svg_frame f = { .axes = a, .swatches = true };
	double max = 0;

	for (size_t i = 0; i < n; i++)
		max = fmax(max, bar_length(&bar[i], parts));
	if (!n || !(max > 0))
		return;
	for (; f.nkeys < parts && f.nkeys < SVG_PARTS; f.nkeys++)
		f.keys[f.nkeys] = (struct svg_key){ part_name[f.nkeys], look[f.nkeys], NAN };
	f.height = (unsigned)n * BAR_ROW;
	/* CPU use is in percent of one CPU, so the axis ends at 100 % or above. */
	svg_axis_linear(&f.x, a->unit, a->unit == SVG_PERCENT ? fmax(max, 100) : max);
	svg_open(b, &f);
	strbuf_puts(b, "</svg><svg overflow=\"visible\">");
	for (unsigned i = 0; i < n; i++)
		draw_bar(b, &f, &bar[i], i);
	svg_close(b, &f);
}
