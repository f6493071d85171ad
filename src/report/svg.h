/* svg.h: charts as SVG, drawn from the numbers of chart.h. The text is well-formed XML and valid inside HTML.
   It has no script, no style attribute, no reference and no id, so that pages can hold any number of charts
   under the strictest content security policy. Colours, dashes and sizes of text come from svg_style.

   Each chart is an <svg class="graph" role="img" aria-label="..."> with <title> and <desc>. Its box is the
   plot itself; ticks and labels stand outside of it, in the margins that the class sets. Across, positions
   are percentages, so that a chart fills any width with text of the same size; lines lie in an inner <svg>
   with viewBox="0 0 4000 4*HEIGHT". A script finds the value of a position by the attributes data-x0 and
   data-x1 (the ends of the x axis, in ms from zero_ms on) of charts over time. Pages must not set the width
   or height of all <svg> elements by CSS, because charts have nested ones. */
#ifndef SVG_H
#define SVG_H

#include "chart.h"

struct strbuf;

enum svg_unit {
	SVG_IOPS,       /* "20k" */
	SVG_BYTES_1024, /* bytes per s as KiB/s, MiB/s, GiB/s */
	SVG_BYTES_1000, /* as kB/s, MB/s, GB/s */
	SVG_BITS_1024,  /* bytes per s as Kibit/s ... */
	SVG_BITS_1000,  /* as kbit/s ... */
	SVG_NS,         /* ns as ns, µs, ms, s, min */
	SVG_NUMBER,     /* a depth */
	SVG_ERRORS,     /* errors per second */
	SVG_PERCENT,
	SVG_SIZE, /* bytes as KiB, MiB, GiB, TiB */
};

struct svg_axes {
	const char *title; /* "IOPS over time"; also the label for screen readers */
	const char *desc;  /* a sentence with the figures; NULL: none */
	enum svg_unit unit;
	const char *x_name; /* of curves over values, and of histograms of other times than latencies */
	const char *const *x_values; /* the values, in their order; NULL: none */
	size_t nx_values;
	const char *y_name;     /* above the y axis, in place of its unit; NULL: the unit */
	const char *counted;    /* svg_heat: what the cells count; NULL: I/Os */
	bool log;               /* the y axis is logarithmic */
	const char *limit_name; /* svg_load: of a line at `limit`, for the legend; NULL: none */
	double limit;
	const char *answer_name;       /* svg_load: of the ring around a point, for the legend */
	const struct svg_level *level; /* svg_load: what the curve is about, from place to place */
	size_t nlevels;
	const char *level_name;  /* of all levels, for the legend */
	double start_ms, end_ms; /* of the x axis, for charts over time */
	double zero_ms;          /* where ticks count from; normally start_ms */
};

/* A level with its noise. A line down marks where each level but the first begins. */
struct svg_level {
	double from, to; /* places on the x axis */
	double y, lowest, highest;
};

/* The look of a line or of bars: a colour with a dash of its own. */
enum svg_look {
	SVG_READ,
	SVG_WRITE,
	SVG_TRIM,
	SVG_P50,
	SVG_P99,
	SVG_P999,
	SVG_MAX,
	SVG_MEAN,
	SVG_OTHER,
	SVG_LIMIT,  /* the limit of a condition */
	SVG_ANSWER, /* in the legend: the ring around a point */
	SVG_LOOKS
};

struct svg_line {
	const char *name; /* "read", "p99.9" */
	enum svg_look look;
	const struct chart_line *line; /* empty ones are left out; a single line has no legend */
};
/* Lines over time. Nothing is written if all lines are empty; so with the charts below. */
void svg_lines(struct strbuf *b, const struct svg_axes *a, const struct svg_line *line, size_t n);

struct svg_curve {
	const char *name;
	enum svg_look look;
	const struct chart_curve *curve;
};
/* Latencies by percentiles: each nine has the same width. */
void svg_percentiles(struct strbuf *b, const struct svg_axes *a, const struct svg_curve *curve, size_t n);

/* Latency against load: a point for each value of the load, joined in their order. With x_values of the axes,
   a figure over these values: x counts them from 0. */
struct svg_load_point {
	double x, y;            /* IOPS and ns, or what the axes say */
	double lowest, highest; /* a bar shows the spread of y; 0: not known */
	const char *name;  /* "iodepth=4: 12.3k IOPS, p99 1.20 ms", shown when the mouse is on the point */
	const char *label; /* the value of the load, beside the point if there is room; NULL: none */
	bool overloaded;   /* it is drawn as a square */
	bool answer;       /* it is drawn with a ring */
};
struct svg_load_curve {
	const char *name;
	enum svg_look look;
	const struct svg_load_point *v;
	size_t n;
	size_t knee; /* its point has a line down to the x axis; n: none */
};
void svg_load(struct strbuf *b, const struct svg_axes *a, const struct svg_load_curve *curve, size_t n);

/* A time and latency map, and its legend of shades. The title says which direction it shows. */
void svg_heat(struct strbuf *b, const struct svg_axes *a, const struct chart_heat *heat);

/* Shares of I/Os by latency: an outline for each set of the histogram, with these names and looks. */
struct svg_set {
	const char *name;
	enum svg_look look;
};
void svg_histogram(struct strbuf *b, const struct svg_axes *a, const struct chart_histogram *h,
		   const struct svg_set *set);

/* Horizontal bars of several parts, one below the other: CPU use in user and system mode, parts of a latency.
 */
#define SVG_PARTS 4
struct svg_bar {
	const char *name;
	double part[SVG_PARTS];
};
/* part_name: of the parts, which are at most SVG_PARTS. */
void svg_bars(struct strbuf *b, const struct svg_axes *a, const struct svg_bar *bar, size_t n,
	      const char *const *part_name, unsigned parts);

/* The rules of all charts, for a <style> element: classes, colours as variables, light and dark
   (prefers-color-scheme; data-theme="light" or "dark" on the root element overrides it), narrow screens and
   print. */
void svg_style(struct strbuf *b);

#endif
