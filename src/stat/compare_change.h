/* compare_change.h: the relative change of a figure between two sides A and B, with a confidence interval.
   Pure.

   A side is a figure and what is known about its sampling error. The error comes from one of these sources:
     - repeated runs: Welch's t on logarithms (compare_side_runs);
     - the series of one run: its intervals are not independent, so the error of their mean is estimated from
       the lowest cosine frequencies of the series, and Student's t has as many degrees of freedom: "equal
       weighted cosine", Lazarus, Lewis, Stock and Watson, "HAR Inference: Recommendations for Practice",
       Journal of Business and Economic Statistics 36 (2018), p. 541 (compare_mean_error);
     - a percentile has the interval of Woodruff, Journal of the American Statistical Association 47 (1952),
       p. 635: the error of the share of I/Os below it, from the series, is turned into latencies by the
       merged histogram (struct compare_quantile).
   The errors of the two sides are joined on the scale of logarithms, upper and lower ones separately:
   "MOVER", Zou and Donner, Statistics in Medicine 27 (2008), p. 1693. Rounding is no random error, so the
   rounding of both sides is added in full. */
#ifndef COMPARE_CHANGE_H
#define COMPARE_CHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include "hist.h"

/* A percentile with the distribution from which it comes. */
struct compare_quantile {
	const struct hist *hist;
	double n;     /* I/Os in hist */
	double share; /* 0.99 for p99 */
	double error; /* standard error of the share of I/Os below the percentile */
};

struct compare_side {
	double value;
	double rounding; /* relative: the true figure may be away from the value by this share of it */
	bool known;      /* the sampling error is known: df, and error or quantile */
	bool pooled;     /* error and df come from the other side */
	double error;    /* relative standard error of value; unused for a quantile */
	double df;       /* degrees of freedom of the error */
	struct compare_quantile quantile; /* hist NULL: not a percentile of one distribution */
};

struct compare_change {
	bool known;        /* there is a ratio: both values are positive, or a rate of B is 0 */
	bool interval;     /* lo, hi, detectable and shown are known */
	bool shown;        /* the interval does not contain 0 */
	double change;     /* 0.05: B is 5 % above A */
	double lo, hi;     /* hi may be INFINITY */
	double detectable; /* a true change of this size is shown with a probability of 80 %; may be INFINITY
			    */
	double df;
};

/* Returns the standard error of the mean of a stationary series of n >= COMPARE_LEAST values, and its degrees
   of freedom in *df. Neighbours of a longer series than COMPARE_MOST are joined until it is
   as short, because the time it takes grows with n^(5/3). This hardly changes the lowest frequencies. */
#define COMPARE_LEAST 8
#define COMPARE_MOST  4096
double compare_mean_error(const double *v, size_t n, double *df);
/* Sets value, error and df from the figures of n >= 1 runs, which are positive. The value is their geometric
   mean, because ratios are compared and latencies are skewed. One run has no error. */
void compare_side_runs(struct compare_side *s, const double *v, size_t n);
/* Gives the side of a single run the deviation that the other side's runs have. */
void compare_side_pool(struct compare_side *single, const struct compare_side *runs, size_t n);
/* confidence: 0.95. */
void compare_sides(struct compare_change *c, const struct compare_side *a, const struct compare_side *b,
		   double confidence);
/* Returns how many runs of each side would show a true change of this share with a probability of 80 %, if
   each run deviates by `deviation`, relatively. rounding: that of both sides together. Returns 0 if
   COMPARE_RUNS_MOST runs would not. */
#define COMPARE_RUNS_MOST 1000
unsigned compare_runs_for(double share, double deviation, double rounding, double confidence);
/* Sets the limits of the figure of one side alone. Returns false if its error is not known. *hi may be
   INFINITY. */
bool compare_limits(const struct compare_side *s, double confidence, double *lo, double *hi);
/* Returns how far, relatively, a latency may be from the midpoint of its bucket in the histogram. */
double compare_bucket_rounding(double ns);
/* Student's t distribution: the probability of a value below t. df may have a fraction; it is greater than 0.
 */
double student_below(double t, double df);
/* Returns the value below which the share p lies; 0 < p < 1. */
double student_quantile(double p, double df);

#endif
