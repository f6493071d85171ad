/* fifo_events.h: the events of a run: event_start, event_finish, event_wait, event_stop. Jobs that use the
   same name share one event. */
#ifndef FIFO_EVENTS_H
#define FIFO_EVENTS_H

#include <poll.h>
#include "plan.h"

struct fifo_events;

/* Opens the events, before the first fork. *e stays NULL if the run has none. Returns 0, or -errno with d. */
int fifo_events_open(struct fifo_events **e, const struct plan *p, struct diag *d);
/* Call at the end of the run: sets the remaining finish events, and removes the FIFOs that this run created.
 */
void fifo_events_close(struct fifo_events *e);

/* A worker calls these when the measurement of its job (plan_job.index) begins and when it ends. e may be
   NULL: no events. */
void fifo_events_measure_begin(const struct fifo_events *e, uint32_t job);
void fifo_events_measure_end(const struct fifo_events *e, uint32_t job);

/* For the parent: returns the descriptors to poll; *count is their number. The first `reserved` entries are
   free for the caller. */
struct pollfd *fifo_events_polls(struct fifo_events *e, unsigned reserved, nfds_t *count);
/* Call it after poll. Returns true if the run has to end (event_stop). */
bool fifo_events_check(struct fifo_events *e, unsigned reserved);
/* Returns true if all events that the jobs of a stage wait for are set. */
bool fifo_events_stage_ready(const struct fifo_events *e, const struct plan *p, uint32_t stage);
/* Returns the event that ended the run (event_stop), or NULL. e may be NULL. */
const char *fifo_events_stopped_by(const struct fifo_events *e);

#endif
