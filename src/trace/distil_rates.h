/* distil_rates.h: the rate of a trace over time -> the few steps of rate_steps. Pure.

   A step is not shorter than 0.1 s, so that bursts of a busy machine are no steps. Neighbours become one step
   while the difference of their rates may be chance (a test of likelihood, as if arrivals were independent)
   or is below 10 %, and further until there are not more than RATE_STEPS_MAX steps: those first that differ
   least. */
#ifndef DISTIL_RATES_H
#define DISTIL_RATES_H

#include "trace_summary.h"

#define RATE_STEPS_MAX 64

struct rate_step {
	double seconds;
	double ios[2], bytes[2]; /* of reads and writes */
};

/* Sets the steps, of which there may be TRACE_INTERVALS before they are joined. Returns their number; 0: the
   trace has no rates. */
unsigned distil_rates(const struct trace_summary *s, struct rate_step step[TRACE_INTERVALS]);

#endif
