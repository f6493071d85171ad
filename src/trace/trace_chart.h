/* trace_chart.h: the numbers that the charts of fiord trace draw, computed from a finished summary. Pure.
   Functions that return int return 0 or -ENOMEM. */
#ifndef TRACE_CHART_H
#define TRACE_CHART_H

#include "chart.h"
#include "trace_summary.h"

/* TRACE_TOUCHED: the working set so far, in bytes, of all operations. */
enum trace_quantity { TRACE_IOPS, TRACE_BYTES_PER_S, TRACE_TOUCHED };

/* A point for each `join` intervals, in their middle; rates are those of whole intervals, as the peaks are.
   op: an operation, or TRACE_IO_OPS for all together; only reads and writes count as bytes per second. Times
   are those of the trace. The line is empty if the trace has no such operation. */
int trace_line(struct chart_line *l, const struct trace_summary *s, enum trace_quantity what, unsigned op,
	       unsigned join);
/* The peak, as a line of one point. */
int trace_peak_line(struct chart_line *l, const struct trace_summary *s, enum trace_quantity what);

/* The shares of the I/Os with data that have a length: of each operation, in percent of all of them. */
#define TRACE_BARS 16 /* more different lengths are taken together by powers of two */
struct trace_bar {
	uint64_t bytes, most;
	double percent[TRACE_DATA_OPS];
};
/* Returns the number of bars. */
unsigned trace_size_bars(const struct trace_summary *s, struct trace_bar bar[TRACE_SIZE_RANGES]);

/* The interarrival times that are not 0, which a logarithmic axis does not have. */
int trace_gap_histogram(struct chart_histogram *h, const struct trace_summary *s);

#endif
