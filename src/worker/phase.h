/* phase.h: the phases of a worker: ramp, measurement, cooldown, and the intervals within them; the search for
   a depth, which is a ramp; and what the parent learns of a phase: resource usage, and copies of the numbers.

   A function "in the slot's sequence" is called between slot_write_begin() and slot_write_end(). */
#ifndef PHASE_H
#define PHASE_H

#include <stdbool.h>
#include <stdint.h>
#include "depth_search.h"
#include "worker.h"

struct wcount;

/* The times of a job that has paused and verifies what it has written. */
struct phase_pause {
	uint64_t since_ns, deadline_ns, measure_end_ns; /* the pause's begin; phase_clock's ends then */
	bool runtime;                                   /* set by the caller: the runtime goes on meanwhile */
};

/* Begins the ramp or the measurement at `start`: counts, intervals and schedules are reset. In the slot's
   sequence. */
void phase_begin(struct worker *w, uint64_t start, enum worker_phase phase);
/* Begins to read back all blocks that the job has written: no rate and no runtime limits it any more. In the
   slot's sequence. */
void phase_begin_verify(struct worker *w);
/* Pauses the job, which reads back blocks until phase_resume. Meanwhile its rates stand still. Its runtime
   stands still, too, unless p->runtime is set; then the phase does not change. In the slot's sequence. */
void phase_pause(struct worker *w, struct phase_pause *p);
/* Resumes the writes. In the slot's sequence. */
void phase_resume(struct worker *w, const struct phase_pause *p);
/* Handles the event when clock.now_ns has reached clock.event_ns: closes intervals, ends the ramp or the
   measurement, and checks the minimum rate. In the slot's sequence. */
void phase_event(struct worker *w);
/* Does the same while no I/O completes. Enters the slot's sequence by itself. */
void phase_idle(struct worker *w);
/* Ends the measurement at `end`: the counts are final. In the slot's sequence. */
void phase_end_measurement(struct worker *w, uint64_t end);
/* Sleeps until `until` or the end of the job, and handles the events that become due meanwhile. Returns true
   if the job is over. */
bool phase_sleep(struct worker *w, uint64_t until);
/* Answers the parent's request for a copy of the numbers. Returns true if the worker must end. Only
   phase_over calls this. */
bool phase_handle_interrupt(struct worker *w);

/* Returns true if the job's time is up, the job has failed, or the parent ends it. */
static inline bool phase_over(struct worker *w)
{
	if (__builtin_expect(clone_interrupted(&w->clone), 0) && phase_handle_interrupt(w))
		return true;
	return w->clock.now_ns >= w->clock.deadline_ns || w->clone.failed;
}

/* latency_search.c: the search for the depth that meets latency_target, as the ramp of a job. The measurement
   begins with the depth found. */

/* Begins the search of a job that starts at `start`. The job ends with its runtime even if no I/O succeeds,
   so that no measurement begins. */
void latency_search_begin(struct worker *w, uint64_t start);
/* Counts the batch of n I/Os in w->q.reaped, and begins the next step when a window is over. Call it within
   the slot's sequence. */
void latency_search_account(struct worker *w, unsigned n);

/* worker_usage.c: the time of day, CPU time and page faults of the measured phase, in the worker's slot. */

/* The measured phase begins: records the time of day and the CPU time used so far. */
void worker_usage_start(struct worker *w, uint64_t start_ns);
/* The measured phase is over. In the slot's sequence (phase.h). */
void worker_usage_end(struct worker *w, uint64_t end_ns);
/* Sets the CPU time and page faults since the start of the measured phase. */
void worker_usage(const struct worker *w, struct wcount *c);

/* live_reply.c: copies the worker's numbers for the parent, if the parent has asked (live_copies.h). */

/* Call between two batches. */
void live_reply(struct worker *w);

#endif
