/* phase.h: the phases of a worker's clock: ramp, measurement, cooldown, and the end of intervals.

   "In the slot's sequence": between slot_begin() and slot_end(). */
#ifndef PHASE_H
#define PHASE_H

#include "worker.h"

/* Sets the end of the loop and of the measurement from the end of the ramp; UINT64_MAX: not known yet. */
void phase_set_deadline(struct worker *w, uint64_t ramp_end);
/* Ramp or measurement begins at `start`: counts, intervals and schedules start afresh. In the slot's
 * sequence. */
void phase_begin(struct worker *w, uint64_t start, enum worker_phase phase);
/* The clock's now_ns has reached event_ns: closes intervals, ends the ramp or the measurement, judges the
   floor. In the slot's sequence. */
void phase_event(struct worker *w);
/* Does the same while no I/O completes. */
void phase_idle(struct worker *w);
/* The measurement ends at `end`: the counts are final. In the slot's sequence. */
void phase_measured(struct worker *w, uint64_t end);
/* Sleeps until `until` or the end of the job, and does meanwhile whatever falls due. True: the job is over.
 */
bool phase_rest(struct worker *w, uint64_t until);
/* For phase_over: answers the parent. True if the worker must end. */
bool phase_interrupted(struct worker *w);

/* The job's time is up, it has failed, or the parent ends it. */
static inline bool phase_over(struct worker *w)
{
	if (__builtin_expect(clone_interrupted(&w->clone), 0) && phase_interrupted(w))
		return true;
	return w->clock.now_ns >= w->clock.deadline_ns || w->clone.failed;
}

#endif
