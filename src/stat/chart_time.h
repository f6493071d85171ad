/* chart_time.h: the intervals of a group as the charts see them. For chart*.c, sweep/sweep_window.c and
   trace/trace_chart.c. */
#ifndef CHART_TIME_H
#define CHART_TIME_H

#include "chart.h"

struct chart_time {
	const struct series *series;
	unsigned group;
	size_t n;                  /* intervals; 0: nothing to show */
	size_t cells;              /* of the group; the last interval has the cells from n - 1 on */
	uint64_t len_ns, first_ns; /* first_ns: beginning of cell 0 */
	uint64_t start_ns, end_ns; /* of the measured time */
};

void chart_time(struct chart_time *t, const struct series *s, unsigned group);

/* The beginning and the end of interval i. */
uint64_t chart_time_from(const struct chart_time *t, size_t i);
uint64_t chart_time_until(const struct chart_time *t, size_t i);
double chart_time_middle_ms(const struct chart_time *t, size_t i);

/* The I/Os of one or several intervals. */
struct chart_sum {
	uint64_t ios, bytes, errors;
	uint64_t n, sum, min, max; /* latencies */
	struct hist *hist;         /* NULL: not wanted */
};
/* Adds interval i. kind LAT_KINDS: no latencies. */
void chart_sum_add(struct chart_sum *sum, const struct chart_time *t, size_t i, unsigned dir,
		   enum lat_kind kind);
void chart_sum_reset(struct chart_sum *sum);

/* Allocates room for n points. */
int chart_line_alloc(struct chart_line *l, size_t n);
/* Sets min and max, and reduces the line to at most CHART_POINTS points. */
void chart_line_finish(struct chart_line *l);

#endif
