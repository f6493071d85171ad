/* steady.h: decides whether a rate or the mean latency is steady. Pure: the caller takes the samples.

   A window holds the last samples, each of one interval. fio's criteria compare the window's greatest
   deviation from its mean, or the slope of its least-squares line, with a limit. The criterion of the SNIA
   Solid State Storage Performance Test Specification 2.0.1 has five samples, called rounds: they range over
   no more than 20 % of their mean, and their line changes by no more than 10 % of it from the first to the
   last round. */
#ifndef STEADY_H
#define STEADY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STEADY_ROUNDS        5
#define STEADY_RANGE_PERCENT 20.0
#define STEADY_RISE_PERCENT  10.0

enum steady_of { STEADY_IOPS, STEADY_BW, STEADY_LAT };
enum steady_by { STEADY_DEVIATION, STEADY_SLOPE, STEADY_SNIA };

struct steady_cfg {
	unsigned of;          /* enum steady_of: I/Os per second, bytes per second, or mean latency in ns */
	unsigned by;          /* enum steady_by */
	bool percent;         /* limit is in percent of the mean */
	double limit;         /* the criterion must be below it; unused with STEADY_SNIA */
	uint64_t duration_ns; /* length of the window; 0: nothing is checked */
	uint64_t ramp_ns;     /* the samples of this first time are left out */
	uint64_t interval_ns; /* length of a sample */
};

bool steady_cfg_equal(const struct steady_cfg *a, const struct steady_cfg *b);

/* The I/Os of one interval, all directions together. */
struct steady_sample {
	uint64_t ios, bytes, lat_n, lat_sum;
};

/* The figures of a window. */
struct steady_figures {
	double mean;
	double deviation; /* the greatest distance of a sample from the mean */
	double slope;     /* of the least-squares line, per interval */
	double range;     /* greatest minus least sample */
};
void steady_figures(struct steady_figures *f, const double *v, size_t n);
/* Returns range, and the change of the line from the first to the last of n samples, in percent of the
   mean. */
double steady_range_percent(const struct steady_figures *f);
double steady_rise_percent(const struct steady_figures *f, size_t n);
/* Returns the value that the limit is compared with. */
double steady_criterion(const struct steady_cfg *c, const struct steady_figures *f);
/* Returns whether n samples are steady. Samples without I/O never are. */
bool steady_attained(const struct steady_cfg *c, const struct steady_figures *f, size_t n);
/* Returns the value of a sample that the criterion judges. */
double steady_value(const struct steady_cfg *c, const struct steady_sample *s);
/* Returns how many samples a window holds. */
size_t steady_samples(const struct steady_cfg *c);

/* A rolling window over samples in order. It stops at the first one that is steady. */
struct steady_window {
	struct steady_cfg cfg;
	struct steady_sample *sample; /* a ring of cap */
	double *value;                /* scratch, and the values in order after steady_window_figures */
	size_t cap, n, next;          /* n of them are in use; next: where the next one goes */
	uint64_t skip;                /* samples of the ramp that are still to come */
	uint64_t seen;                /* samples so far, those of the ramp included */
	uint64_t left_out;            /* samples that some worker of the group did not cover */
	bool attained;
};
/* Returns false if memory is short. */
bool steady_window_init(struct steady_window *w, const struct steady_cfg *c);
void steady_window_fini(struct steady_window *w);
/* Adds a sample, and returns whether the window is steady now. Once it is, later samples are ignored. */
bool steady_window_add(struct steady_window *w, const struct steady_sample *s);
/* Returns sample i in order, from 0. */
const struct steady_sample *steady_window_at(const struct steady_window *w, size_t i);
/* Sets the figures of the samples in the window; all 0 if it is empty. */
void steady_window_figures(const struct steady_window *w, struct steady_figures *f);

#endif
