#include <stdlib.h>
#include "strbuf.h"
#include "svg_frame.h"

/* A drawing of the cells. Neighbours of one shade in a row are one stroke, as wide as the row is high, so
   that a stroke takes few characters. Rows differ a little in height, so a shade has a path for each height.
   The horizontal unit is a column. */
struct heat_drawing {
	struct strbuf *b;
	const struct svg_frame *f;
	const struct chart_heat *h;
	const unsigned char *level;
	bool open; /* the path of the shade and the height has begun */
};

static unsigned level_at(const struct heat_drawing *d, unsigned col, unsigned row)
{
	return d->level[(size_t)col * d->h->rows + row];
}

static long top_of(const struct heat_drawing *d, unsigned row)
{
	return svg_y(d->f, d->h->bound_ns[row + 1]);
}

static long height_of(const struct heat_drawing *d, unsigned row)
{
	return svg_y(d->f, d->h->bound_ns[row]) - top_of(d, row);
}

/* Adds `cols` columns. The last column may be a part of one. */
static void put_stroke(struct heat_drawing *d, unsigned col, unsigned cols)
{
	const struct chart_heat *h = d->h;

	strbuf_putc(d->b, 'h');
	if (col + cols == h->cols)
		strbuf_puts(d->b, svg_number((h->end_ms - h->start_ms) / h->col_ms - col, 3).text);
	else
		strbuf_u64(d->b, cols);
}

/* Moves to the middle of the row, or on from the end of the stroke before it. */
static void put_move(struct heat_drawing *d, unsigned row, unsigned col, unsigned from)
{
	if (from) {
		strbuf_putc(d->b, 'm');
		strbuf_u64(d->b, col - from);
		strbuf_puts(d->b, " 0");
	} else {
		strbuf_putc(d->b, 'M');
		strbuf_u64(d->b, col);
		strbuf_putc(d->b, ' ');
		strbuf_puts(d->b, svg_number((double)top_of(d, row) + (double)height_of(d, row) / 2, 1).text);
	}
}

static void draw_row(struct heat_drawing *d, unsigned row, unsigned want)
{
	unsigned from = 0; /* the end of the last stroke */

	for (unsigned col = 0, cols; col < d->h->cols; col += cols) {
		cols = 1;
		if (level_at(d, col, row) != want)
			continue;
		while (col + cols < d->h->cols && level_at(d, col + cols, row) == want)
			cols++;
		if (!d->open)
			strbuf_printf(d->b, "<path class=\"cell h%u\" stroke-width=\"%ld\" d=\"", want,
				      height_of(d, row));
		d->open = true;
		put_move(d, row, col, from);
		put_stroke(d, col, cols);
		from = col + cols;
	}
}

/* Draws the cells of a shade in the rows of this height. */
static void draw_level(struct heat_drawing *d, unsigned want, long height)
{
	d->open = false;
	for (unsigned row = 0; row < d->h->rows; row++) {
		if (height_of(d, row) == height)
			draw_row(d, row, want);
	}
	if (d->open)
		strbuf_puts(d->b, "\"/>");
}

static void draw_height(struct heat_drawing *d, unsigned row)
{
	for (unsigned before = 0; before < row; before++) {
		if (height_of(d, before) == height_of(d, row))
			return;
	}
	for (unsigned want = 1; want <= CHART_LEVELS; want++)
		draw_level(d, want, height_of(d, row));
}

static void draw_cells(struct strbuf *b, const struct svg_frame *f, const struct chart_heat *h)
{
	unsigned char *level = malloc((size_t)h->cols * h->rows);
	struct heat_drawing d = { .b = b, .f = f, .h = h, .level = level };

	b->failed |= !level;
	if (level)
		chart_heat_levels(h, level);
	for (unsigned row = 0; level && row < h->rows; row++)
		draw_height(&d, row);
	free(level);
}

void svg_heat(struct strbuf *b, const struct svg_axes *a, const struct chart_heat *heat)
{
	struct svg_frame f = { .axes = a, .heat = heat, .height = SVG_HEIGHT };

	if (!heat->cols)
		return;
	svg_axis_time(&f.x, a->start_ms, a->end_ms, a->zero_ms);
	svg_axis_log_ticks(&f.y, heat->bound_ns[0], heat->bound_ns[heat->rows]);
	svg_open(b, &f);
	draw_cells(b, &f, heat);
	svg_close(b, &f);
}
