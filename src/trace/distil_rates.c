#include "distil.h"

#include <math.h>
#include <string.h>

#define CHANCE     14.0 /* of the logarithm of the ratio of likelihoods: many splits are compared */
#define SAME_SHARE 0.1
#define LEAST_STEP 0.1 /* seconds */

/* Returns the logarithm of how much more likely the counts are with a rate of each step than with one rate.
 */
static double gain(double a, double a_seconds, double b, double b_seconds)
{
	double rate = (a + b) / (a_seconds + b_seconds), sum = 0;

	if (a > 0)
		sum += a * log(a / a_seconds / rate);
	if (b > 0)
		sum += b * log(b / b_seconds / rate);
	return sum;
}

static bool about_same(double a, double b)
{
	return fabs(a - b) <= SAME_SHARE * fmax(a, b);
}

/* Returns how much is lost if both steps become one. */
static double loss(const struct rate_step *a, const struct rate_step *b)
{
	double sum = 0;

	for (unsigned i = 0; i < 2; i++)
		if (!about_same(a->ios[i] / a->seconds, b->ios[i] / b->seconds))
			sum += gain(a->ios[i], a->seconds, b->ios[i], b->seconds);
	return sum;
}

static void join(struct rate_step *step, unsigned i, unsigned n)
{
	step[i].seconds += step[i + 1].seconds;
	for (unsigned k = 0; k < 2; k++) {
		step[i].ios[k] += step[i + 1].ios[k];
		step[i].bytes[k] += step[i + 1].bytes[k];
	}
	memmove(&step[i + 1], &step[i + 2], (n - i - 2) * sizeof(*step));
}

static unsigned join_steps(struct rate_step *step, unsigned n)
{
	while (n > 1) {
		unsigned best = 0;

		for (unsigned i = 1; i + 1 < n; i++)
			if (loss(&step[i], &step[i + 1]) < loss(&step[best], &step[best + 1]))
				best = i;
		if (n <= RATE_STEPS_MAX && loss(&step[best], &step[best + 1]) > CHANCE)
			break;
		join(step, best, n);
		n--;
	}
	return n;
}

/* Joins the intervals to steps of LEAST_STEP or longer. */
static unsigned join_short(struct rate_step *step, unsigned n)
{
	unsigned i = 0;

	while (i + 1 < n)
		/* Rounding must not make a step one interval longer. */
		if (step[i].seconds < LEAST_STEP - 1e-6) {
			join(step, i, n);
			n--;
		} else {
			i++;
		}
	if (n > 1 && step[n - 1].seconds < LEAST_STEP / 2) {
		join(step, n - 2, n);
		n--;
	}
	return n;
}

unsigned distil_rates(const struct trace_summary *s, struct rate_step step[TRACE_INTERVALS])
{
	double width = (double)s->interval_ns / 1e9;
	unsigned n = s->intervals;

	if (s->seconds <= 0 || s->facts.waits)
		return 0;
	for (unsigned i = 0; i < n; i++) {
		const struct trace_interval *from = &s->interval[i];

		step[i] = (struct rate_step){ .seconds = width };
		for (unsigned k = 0; k < 2; k++) {
			step[i].ios[k] = (double)from->ios[k];
			step[i].bytes[k] = (double)from->bytes[k];
		}
	}
	/* The last I/O is followed by one gap, as if the trace went on. */
	step[n - 1].seconds = s->seconds - (n - 1) * width + s->gap_mean_ns / 1e9;
	n = join_steps(step, join_short(step, n));
	/* Only trims and flushes. */
	while (n && !(step[n - 1].ios[0] + step[n - 1].ios[1] > 0))
		n--;
	return n;
}
