/* fifo_events.h: the events of a run: event_start, event_finish, event_wait, event_stop. Each name is one
   event for all jobs. */
#ifndef FIFO_EVENTS_H
#define FIFO_EVENTS_H

#include <poll.h>
#include "plan.h"

struct fifo_events;

/* Opens them, before the first fork. *n is NULL if there are none. 0, or -errno with d. */
int fifo_events_open(struct fifo_events **n, const struct plan *p, struct diag *d);
/* The run is over: what has not been set as finished is. Removes those that it has made. */
void fifo_events_close(struct fifo_events *n);

/* For workers: the job (plan_job.index) begins to measure; it has measured. n may be NULL: no events. */
void fifo_events_started(const struct fifo_events *n, uint32_t job);
void fifo_events_measured(const struct fifo_events *n, uint32_t job);

/* For the parent: descriptors to poll, the first `before` of which are the caller's; their number. */
struct pollfd *fifo_events_polls(struct fifo_events *n, unsigned before, nfds_t *count);
/* After poll: true if the run is to end. */
bool fifo_events_look(struct fifo_events *n, unsigned before);
/* Whether the events that the jobs of a stage wait for are set. */
bool fifo_events_may_open(const struct fifo_events *n, const struct plan *p, uint32_t stage);
/* The event that ended the run (event_stop); NULL: none. n may be NULL. */
const char *fifo_events_stopped_by(const struct fifo_events *n);

#endif
