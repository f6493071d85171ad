/* collect_rate_steps.h: the figures of the steps of rate_steps. */
#ifndef COLLECT_RATE_STEPS_H
#define COLLECT_RATE_STEPS_H

#include <stdbool.h>
#include <stdint.h>

struct result;
struct result_job;
struct run;

/* Sets the steps of a report entry, with bins if asked for, once the run has ended. */
void collect_rate_steps(struct result *r, struct result_job *job, const struct run *run, uint32_t report,
			bool bins);

#endif
