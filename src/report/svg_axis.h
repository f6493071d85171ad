/* svg_axis.h: axes with round ticks, and numbers without a locale. Internal to svg*.c. */
#ifndef SVG_AXIS_H
#define SVG_AXIS_H

#include "html_text.h"
#include "strbuf.h"
#include "svg.h"

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

#endif
