/* svg_frame.h: the frame of a chart: element, legend, axes with round ticks, labels at line ends. Internal to
   svg*.c. */
#ifndef SVG_FRAME_H
#define SVG_FRAME_H

#include "html_text.h"
#include "strbuf.h"
#include "svg.h"

/* ---- svg_axis.c ---- */

#define SVG_TICKS 16

struct svg_axis {
	double lo, hi;
	bool log;
	const char *unit; /* of all ticks, "MiB/s"; NULL: ticks have their own */
	bool sparse;      /* texts are wide: narrow screens show every third, else every second */
	unsigned n;
	struct svg_tick {
		double at;
		char text[24];
	} tick[SVG_TICKS];
};

/* An axis from 0 to a round number that is not below max. */
void svg_axis_linear(struct svg_axis *a, enum svg_unit unit, double max);
/* A logarithmic axis of ns with round ends around min and max. */
void svg_axis_log(struct svg_axis *a, double min, double max);
/* Ticks of a logarithmic axis of ns whose ends are given. */
void svg_axis_log_ticks(struct svg_axis *a, double lo, double hi);
void svg_axis_time(struct svg_axis *a, double start_ms, double end_ms, double zero_ms);
/* "90 %", "99.9 %": the axis has this many nines. */
void svg_axis_nines(struct svg_axis *a, double nines);
/* An axis of n texts at the same distance. It has so few ticks that they fit. */
void svg_axis_values(struct svg_axis *a, const char *name, const char *const *value, size_t n);
/* Returns the place of v on the axis: 0 at its beginning, 1 at its end, never outside. */
double svg_axis_part(const struct svg_axis *a, double v);

/* Returns a number with so many decimals; zeros at the end are left out. */
struct short_text svg_number(double v, unsigned decimals);

/* ---- the frame ---- */

#define SVG_HEIGHT 220 /* of the plot, in px */
/* The inner coordinates: the viewBox is SVG_WIDE x (SVG_FINE * height). */
#define SVG_WIDE 4000
#define SVG_FINE 4

struct svg_key {
	const char *name;
	enum svg_look look;
	double end;           /* the y value at the right end of its line; NAN: no label there */
	const char *end_name; /* the label there; NULL: the name */
	bool dot;             /* the line has one point */
};

/* The sides of a point at which its label may stand, the best one first, and how far its base line is from
   the point, in px. */
enum svg_side { SVG_ABOVE, SVG_RIGHT, SVG_LEFT, SVG_BELOW, SVG_SIDES };
#define SVG_ABOVE_PX  7
#define SVG_BELOW_PX  15
#define SVG_LEVEL_PX  4
#define SVG_BESIDE_PX 8 /* across, of labels to the right and to the left */

/* The label of a point, whose place is in values of the axes. */
struct svg_mark {
	double x, y;
	const char *text;
	enum svg_side side;
};

#define SVG_KEYS 16 /* more than any chart has */

struct svg_frame {
	const struct svg_axes *axes;
	struct svg_axis x, y;
	const char *y_name; /* NULL: the unit of the axis */
	struct svg_key keys[SVG_KEYS];
	size_t nkeys;
	const struct svg_mark *marks;
	size_t nmarks;
	bool swatches;                 /* the legend shows areas in place of lines */
	const struct chart_heat *heat; /* not NULL: the legend has its shades */
	unsigned height;               /* of the plot */
};

/* The extremes of values. min is the smallest one above 0, for logarithmic axes; NAN: none. */
struct svg_extent {
	double min, max;
};
/* Makes the extent include v. */
void svg_extent_add(struct svg_extent *e, double v);

/* Opens the chart and draws legend and axes; the caller adds marks in inner coordinates. */
void svg_open(struct strbuf *b, const struct svg_frame *f);
/* Closes the inner drawing, adds the marks and the labels at line ends, and closes the chart. */
void svg_close(struct strbuf *b, const struct svg_frame *f);

/* svg_labels.c. Chooses the labels of points that have room, and adds them to the frame, whose axes are
   known. Returns their memory, which the caller frees; NULL without memory. */
struct svg_mark *svg_place_labels(struct svg_frame *f, const struct svg_load_curve *curve, size_t n);
/* Draws a ring, inside of which the caller draws the point. */
void svg_put_ring(struct strbuf *b, long x, long y);

/* Inner coordinates. */
long svg_x(const struct svg_frame *f, double v);
long svg_y(const struct svg_frame *f, double v);
/* "read", "write": the class of a look. */
const char *svg_look_class(enum svg_look look);

/* A path of relative steps between whole coordinates. */
struct svg_path {
	struct strbuf *b;
	long x, y;
	bool down; /* the pen is down: the next point continues the line */
	bool step; /* the last command was `l` */
	bool dot;  /* the line has only one point so far */
};
void svg_path_to(struct svg_path *p, long x, long y);
/* Lifts the pen. A line of one point becomes a dot. */
void svg_path_lift(struct svg_path *p);

#endif
