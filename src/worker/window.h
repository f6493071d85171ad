/* window.h: the start and the end of the measured window: decides which I/Os count.

   A window without a ramp begins with no I/O in flight. It ends when the last I/O completes: IOPS times mean
   latency is then the number of I/Os in flight. With a cooldown the window ends when the last I/O that began
   before the end of the runtime completes; I/Os that begin in the cooldown do not count.

   After a ramp the window begins with I/Os in flight. If time or a signal ends the window, I/Os are in flight
   at its end, too: the window is cut, and all I/Os that complete in it count. If the job ends after a fixed
   amount of work, or with an fsync, all I/Os that begin in the window count.

   The other I/Os go to separate statistics, which the parent never reads.

   Functions "in the slot's sequence" are called between slot_write_begin() and slot_write_end(). */
#ifndef WINDOW_H
#define WINDOW_H

#include <stdbool.h>
#include <stdint.h>
#include "clone.h"

struct io;
struct outside_stats;
struct stats;
struct time_cfg;
struct worker;

/* phase_clock.c: the clock of the loop: the time stamp of the last batch, and the times at which the phase
   changes.

   All times are clock_ns(). UINT64_MAX means never. phase.c sets the times of the phases. */

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

/* window.c: */

/* I/Os count if they began from the edge on (EDGE_FROM), or before it (EDGE_UNTIL). */
enum window_edge { EDGE_NONE, EDGE_FROM, EDGE_UNTIL };

struct window {
	bool cut;              /* the window ends with I/Os in flight, which do not count */
	enum window_edge edge; /* set while only some of the I/Os in flight count */
	uint64_t edge_ns;
	struct outside_stats *outside; /* statistics of the I/Os that do not count; NULL: all I/Os count */
};

static inline bool window_has_ramp(const struct time_cfg *t)
{
	return t->ramp_ns || t->ramp_bytes || t->search;
}

static inline bool window_has_cooldown(const struct time_cfg *t)
{
	return t->cooldown_ns || t->ramp_only;
}

/* Returns false if memory is short. */
bool window_init(struct window *win, const struct clone *c);
/* Frees the separate statistics, and restores the worker's own ones. */
void window_fini(struct window *win, struct stats *s, const struct clone *c);
/* The ramp has ended at `start`. */
void window_end_ramp(struct worker *w, uint64_t start);
/* The runtime has ended at w->clock.measure_end_ns. The measurement ends now, or when the last I/O that
   counts completes. In the slot's sequence. */
void window_end_runtime(struct worker *w);
/* The worker issues no more I/Os: ends the measurement if the window is cut. In the slot's sequence. */
void window_stop(struct worker *w);
/* No I/O completed: ends the measurement if none of the I/Os in flight counts. In the slot's sequence. */
void window_idle(struct worker *w);
/* Ends the measurement at `end` and begins the cooldown. In the slot's sequence. */
void window_begin_cooldown(struct worker *w, uint64_t end);
/* Call after the last I/O of a job with a cooldown: if no I/O completed in the window, notes how long I/Os
   take. */
void window_note_slow_ios(const struct clone *c, struct wstat *st);
/* Moves the I/Os that count to the front of the n I/Os. Returns how many count. */
unsigned window_sort(const struct window *win, struct io **ios, unsigned n);
/* Call once these are counted: leaves the edge if no I/O in flight began before it. */
void window_check_edge(struct worker *w);
/* Counts n I/Os in the statistics that the parent never reads. */
void window_discard(struct worker *w, struct io *const *ios, unsigned n);

#endif
