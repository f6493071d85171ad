/* chart.h: the numbers that the charts of a report draw, computed from a series or from the bins of a job.
   Pure: no text, no units but those of the fields.

   Times are in ms on the grid of the series, which begins with the run. A group has no intervals before its
   measurement began (ramp_time, startdelay) and none after it ended: charts are empty there. Within the
   group an interval without I/O has the rate 0 and no latency: latency lines have a gap (NAN). A last
   interval shorter than half of the others is joined to the one before, because the rate of a few ms says
   nothing.

   All functions that return int return 0 or -ENOMEM, and accept groups without intervals: the chart is then
   empty (n is 0). dir is a direction, or CHART_ALL for reads, writes and trims together. The caller frees a
   chart with its _fini function, which accepts a zeroed one. */
#ifndef CHART_H
#define CHART_H

#include <stdbool.h>
#include <stddef.h>
#include "series.h"
#include "steady.h"

#define CHART_POINTS    1000 /* of a line, at most */
#define CHART_HEAT_COLS 120  /* at most */
#define CHART_HEAT_ROWS 48
#define CHART_LEVELS    8  /* shades of a heat map */
#define CHART_BARS      60 /* at most */
#define CHART_ALL       DIR_COUNT

/* A line over time: each point stands in the middle of its interval. A line of more than CHART_POINTS
   intervals keeps the minimum and the maximum of each of CHART_POINTS / 2 columns. */
struct chart_line {
	double *t_ms, *v; /* v: NAN where there is a gap */
	size_t n;
	double min, max; /* of all intervals */
};
/* Reduces the line to at most `points` points, 2 or more, in the same way. */
void chart_line_limit(struct chart_line *l, size_t points);
void chart_line_fini(struct chart_line *l);

/* The measured time of a group: from the beginning of its first interval to the end of its last one. Returns
   the number of intervals that charts show: a last one that is shorter than half joins the one before. */
size_t chart_span(const struct series *s, unsigned group, double *start_ms, double *end_ms);

enum chart_quantity { CHART_IOPS, CHART_BYTES_PER_S, CHART_ERRORS_PER_S };
/* The rate in each interval. The line is empty if the direction had neither I/Os nor errors. */
int chart_rate(struct chart_line *l, const struct series *s, unsigned group, unsigned dir,
	       enum chart_quantity what);

/* Samples that follow each other every step_ms: a point in the middle of each. */
int chart_samples(struct chart_line *l, const uint64_t *v, size_t n, double step_ms);

/* Steps that follow each other: each has its value from its beginning to its end. */
struct chart_step {
	uint64_t ns;
	double v;
};
int chart_steps(struct chart_line *l, const struct chart_step *step, size_t n);

/* Latencies over time, in ns. Each point is computed from the I/Os that completed in step_ms: as many whole
   intervals as percentiles need, as long as 60 points or more are left. A point of p99.9 needs 1000 I/Os, and
   so on; a percentile that fewer than half of the points can show is empty. Without histograms there are only
   CHART_MAX and CHART_MEAN. */
enum chart_lat_line { CHART_P50, CHART_P99, CHART_P999, CHART_MAX, CHART_MEAN, CHART_LAT_LINES };
struct chart_lat {
	double step_ms;
	struct chart_line line[CHART_LAT_LINES];
};
/* kind: the group's own (series_group.kind), or LAT_RESP. */
int chart_lat(struct chart_lat *c, const struct series *s, unsigned group, unsigned dir, enum lat_kind kind);
void chart_lat_fini(struct chart_lat *c);

/* The mean number of I/Os in flight, by Little's law: the latencies of the I/Os that were in flight in an
   interval, as far as they lie in it, divided by its length. Completions are assumed to be spread evenly over
   their interval. If that gives an interval more than `most` I/Os, the jobs' depths together (0: unknown),
   they completed less evenly: the rest lies in the next intervals, or in those before. What no interval has
   room for, I/Os began before the first one. The line has a point for each interval of `shown`: of the same
   group, in intervals as long or longer. */
int chart_depth(struct chart_line *l, const struct series *s, const struct series *shown, unsigned group,
		unsigned dir, double most);

/* The bins of a job: the middle of each in ns, ascending, and its count. min and max are exact; max 0:
   unknown. */
struct chart_bins {
	const uint64_t *ns, *count;
	size_t n;
	uint64_t min, max;
};

/* A latency curve by nines: 90 % is 1, 99 % is 2, 99.9 % is 3. The last point is the maximum, at log10(I/Os).
 */
#define CHART_CURVE (20 * 20 + 2)
struct chart_curve {
	unsigned n;
	struct {
		double nines;
		uint64_t ns;
	} v[CHART_CURVE];
};
void chart_percentiles(struct chart_curve *c, const struct chart_bins *bins);
/* Keeps the first point, each step-th one after it, and the last one. */
void chart_curve_thin(struct chart_curve *c, unsigned step);
/* Percentiles for a table: 50, 90, 95, 99, 99.5, 99.9, 99.95, 99.99 ... as far as the number of I/Os can show
   them: at least one I/O took longer. */
#define CHART_NINES 32
struct chart_nines {
	unsigned n;
	struct {
		double percent;
		unsigned decimals; /* that the percentage needs */
		uint64_t ns;
		uint64_t above; /* I/Os beyond this percentile */
	} v[CHART_NINES];
};
void chart_nines(struct chart_nines *c, const struct chart_bins *bins);

/* The latency distributions of several directions, on the same bounds. Bar i counts the I/Os from bound_ns[i]
   to bound_ns[i + 1]. All bars have about the same width on a logarithmic axis, and their bounds are bounds
   of histogram buckets. */
#define CHART_SETS 4
struct chart_histogram {
	unsigned sets, n; /* n bars */
	double bound_ns[CHART_BARS + 1];
	double low_ns; /* where bar 0 really begins; see chart_heat */
	uint64_t count[CHART_SETS][CHART_BARS];
	uint64_t total[CHART_SETS];
	double max; /* the highest share of a set's I/Os that lies in one bar: 0 to 1 */
};
/* At most CHART_SETS sets, and at most `bars` bars. */
void chart_histogram(struct chart_histogram *h, const struct chart_bins *bins, unsigned sets, unsigned bars);

/* A heat map: I/Os by time and latency. */
struct chart_heat {
	unsigned cols, rows;                  /* cols 0: nothing to show */
	double start_ms, end_ms;              /* of column 0, and of the last one */
	double col_ms;                        /* the length of the columns; the last one may be shorter */
	double bound_ns[CHART_HEAT_ROWS + 1]; /* of the rows */
	double low_ns; /* bound_ns[0], or less: if fewer than 1 % of the I/Os lie below a decade without any,
			  they share row 0, which is drawn as high as the other rows */
	uint64_t *count; /* [col * rows + row] */
	uint64_t max;    /* the highest count */
};
/* The map has at most `cols` columns and `rows` rows. */
int chart_heat(struct chart_heat *h, const struct series *s, unsigned group, unsigned dir, enum lat_kind kind,
	       unsigned cols, unsigned rows);
void chart_heat_fini(struct chart_heat *h);
/* Writes the shades of all cells to level[cols * rows], in the order of the counts: 0 for an empty cell, else
   1 (one I/O) to CHART_LEVELS (max), by the logarithm. */
void chart_heat_levels(const struct chart_heat *h, unsigned char *level);
/* Returns the lowest count of a shade. */
uint64_t chart_heat_level_count(const struct chart_heat *h, unsigned level);

/* Is the rate, or the mean latency, steady? The criterion is that of the SNIA Solid State Storage Performance
   Test Specification 2.0.1 (steady state): over a measurement window of five rounds, the values range over no
   more than 20 % of their mean, and their least-squares line changes by no more than 10 % of it. SNIA's
   rounds are separate runs of a minute; here they are five equal parts of the measured time. With less than
   CHART_STEADY_MS of time, or fewer than CHART_STEADY_IOS I/Os a round, there is no verdict. */
#define CHART_ROUNDS     STEADY_ROUNDS
#define CHART_STEADY_MS  10000
#define CHART_STEADY_IOS 100
#define CHART_RANGE      STEADY_RANGE_PERCENT
#define CHART_SLOPE      STEADY_RISE_PERCENT
enum chart_verdict { CHART_TOO_SHORT, CHART_TOO_FEW, CHART_STEADY, CHART_NOT_STEADY };
enum chart_steady_of { CHART_STEADY_IOPS, CHART_STEADY_LAT };
struct chart_steady {
	enum chart_verdict verdict;
	double round[CHART_ROUNDS]; /* IOPS, or ns */
	double round_ms, mean;
	double range, slope; /* percent of the mean; the slope has its sign, from round 1 to round 5 */
};
void chart_steady(struct chart_steady *c, const struct series *s, unsigned group, enum chart_steady_of what);

/* Stalls: times without a completed I/O, in whole intervals. Times that the rate alone explains do not count:
   a stall is longer than CHART_STALL_GAPS times the mean distance of two completions. */
#define CHART_STALL_GAPS 20
struct chart_stall {
	unsigned stalls;
	double start_ms, ms; /* of the longest */
	double stalled_ms;   /* of all together */
};
void chart_stall(struct chart_stall *c, const struct series *s, unsigned group);

#endif
