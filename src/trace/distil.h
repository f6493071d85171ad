/* distil.h: the figures of a trace -> a section of a job file that makes a like load without the trace. Pure.
 */
#ifndef DISTIL_H
#define DISTIL_H

#include "strbuf.h"
#include "trace_summary.h"

/* Adds the section. s: of the I/Os of one device, which is its device 0. */
void distil_section(const char *section, const struct trace_summary *s, uint64_t trace_first_ns,
		    struct strbuf *b);
/* Returns whether the device has reads or writes, so that it has a section. */
bool distil_has_section(const struct trace_summary *s);

/* distil_rates.c: the rate of a trace over time -> the few steps of rate_steps. Pure.

   A step is not shorter than 0.1 s, so that bursts of a busy machine are no steps. Neighbours become one step
   while the difference of their rates may be chance (a test of likelihood, as if arrivals were independent)
   or is below 10 %, and further until there are not more than RATE_STEPS_MAX steps: those first that differ
   least. */

#define RATE_STEPS_MAX 64

struct rate_step {
	double seconds;
	double ios[2], bytes[2]; /* of reads and writes */
};

/* Sets the steps, of which there may be TRACE_INTERVALS before they are joined. Returns their number; 0: the
   trace has no rates. */
unsigned distil_rates(const struct trace_summary *s, struct rate_step step[TRACE_INTERVALS]);

#endif
