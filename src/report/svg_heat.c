#include <stdlib.h>
#include "svg_frame.h"

/* Across, the unit is a column, which makes the text short; the last column may be a part of one. */
static void add_cell(struct strbuf *b, const struct svg_frame *f, const struct chart_heat *h, unsigned col,
		     unsigned cols, unsigned row)
{
	long y = svg_y(f, h->bound_ns[row + 1]), height = svg_y(f, h->bound_ns[row]) - y;

	strbuf_printf(b, "M%u %ldh", col, y);
	if (col + cols == h->cols)
		svg_put_number(b, (h->end_ms - h->start_ms) / h->col_ms - col, 3);
	else
		strbuf_printf(b, "%u", cols);
	strbuf_printf(b, "v%ldH%uz", height, col);
}

/* Draws all cells of a shade as one path; neighbours in a row are one rectangle. */
static void draw_level(struct strbuf *b, const struct svg_frame *f, const struct chart_heat *h,
		       const unsigned char *level, unsigned want)
{
	bool any = false;

	for (unsigned row = 0; row < h->rows; row++) {
		for (unsigned col = 0, cols; col < h->cols; col += cols) {
			cols = 1;
			if (level[(size_t)col * h->rows + row] != want)
				continue;
			while (col + cols < h->cols && level[(size_t)(col + cols) * h->rows + row] == want)
				cols++;
			if (!any)
				strbuf_printf(b, "<path class=\"cell h%u\" d=\"", want);
			any = true;
			add_cell(b, f, h, col, cols, row);
		}
	}
	if (any)
		strbuf_puts(b, "\"/>");
}

static void draw_cells(struct strbuf *b, const struct svg_frame *f, const struct chart_heat *h)
{
	unsigned char *level = malloc((size_t)h->cols * h->rows);

	b->failed |= !level;
	for (unsigned col = 0; level && col < h->cols; col++)
		for (unsigned row = 0; row < h->rows; row++)
			level[(size_t)col * h->rows + row] = (unsigned char)chart_heat_level(h, col, row);
	for (unsigned want = 1; level && want <= CHART_LEVELS; want++)
		draw_level(b, f, h, level, want);
	free(level);
}

void svg_heat(struct strbuf *b, const struct svg_axes *a, const struct chart_heat *heat)
{
	struct svg_axis x, y;
	struct svg_frame f = { .axes = a, .x = &x, .y = &y, .heat = heat, .height = SVG_HEIGHT };

	if (!heat->cols)
		return;
	svg_axis_time(&x, a->start_ms, a->end_ms, a->zero_ms);
	svg_axis_log_ticks(&y, heat->bound_ns[0], heat->bound_ns[heat->rows]);
	svg_open(b, &f);
	draw_cells(b, &f, heat);
	svg_close(b, &f);
}
