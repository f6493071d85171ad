/* samples.h: minimum, maximum, mean and deviation of a rate over many intervals (fio's bw and iops rows). */
#ifndef SAMPLES_H
#define SAMPLES_H

#include <stdint.h>
#include "dir.h"

#define SAMPLE_ROWS (DIR_DATA + 1) /* a rate is sampled in each direction, then in all together */

/* One rate, sampled: integers KiB/s or I/Os per s. Zeroed: empty. */
struct samples {
	uint64_t n, min, max;
	double sum, sq;
};
void samples_add(struct samples *s, uint64_t value);
void samples_add_n(struct samples *s, uint64_t value, uint64_t count);
double samples_mean(const struct samples *s);
double samples_stddev(const struct samples *s); /* n - 1 */

#endif
