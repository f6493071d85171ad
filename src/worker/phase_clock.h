/* phase_clock.h: the clock of the loop: the time stamp of the last batch, and the times at which the phase
   changes.

   All times are clock_ns(). UINT64_MAX means never. phase.c sets the times of the phases. */
#ifndef PHASE_CLOCK_H
#define PHASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct time_cfg;

struct phase_clock {
	uint64_t now_ns;       /* the stamp of the last batch */
	uint64_t submitted_ns; /* the stamp of the last submission */
	uint64_t start_ns;     /* of the phase: ramp or measurement */
	uint64_t ramp_end_ns;
	uint64_t deadline_ns;     /* the end of the loop */
	uint64_t measure_end_ns;  /* when the cooldown begins */
	uint64_t event_ns;        /* end of an interval or the ramp, or rate_min check; 0: every batch */
	uint64_t wake_latency_ns; /* moving estimate of how late this worker wakes up */
	bool in_ramp, in_cooldown;
	bool runtime_over; /* the parent has ended the runtime early */
};

/* Sets the ends of the loop and of the measurement. cut: the measurement ends with the runtime, with I/Os in
   flight. ramp_end is UINT64_MAX while the end of the ramp is not known yet. */
void phase_clock_set_deadline(struct phase_clock *k, const struct time_cfg *t, bool cut, uint64_t ramp_end);

#endif
