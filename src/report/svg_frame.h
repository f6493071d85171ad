/* svg_frame.h: the frame of a chart: element, legend, axes, labels at line ends. Internal to svg*.c. */
#ifndef SVG_FRAME_H
#define SVG_FRAME_H

#include "svg_axis.h"

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
void svg_widen(struct svg_extent *e, double v);

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
