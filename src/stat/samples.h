/* samples.h: minimum, maximum, mean and deviation of a rate over many intervals (fio's bw and iops rows). */
#ifndef SAMPLES_H
#define SAMPLES_H

#include <stdint.h>
#include "dir.h"

#define SAMPLE_ROWS (DIR_DATA + 1) /* a rate is sampled in each direction, then in all together */

/* The samples of one rate, in KiB/s or I/Os per s. A zeroed struct is empty. */
struct samples {
	uint64_t n;
	double min, max, sum, sq;
};
/* Adds `n` samples of one rate: `count` bytes or I/Os in ns nanoseconds, in `unit` per second. A low rate
   keeps its fraction. */
void samples_add_rate(struct samples *s, uint64_t count, uint64_t ns, unsigned unit, uint64_t n);
void samples_add(struct samples *s, double value);
void samples_add_n(struct samples *s, double value, uint64_t count);
/* Adds a rate that was sampled elsewhere during the same time, so that *s becomes a row of the sum: the means
   add, and so do the variances, as for independent rates. The minima and maxima add, too, and are bounds of
   those of the sum. */
void samples_add_parallel(struct samples *s, const struct samples *other);
double samples_mean(const struct samples *s);
double samples_stddev(const struct samples *s); /* the sample deviation, with n - 1 */

#endif
