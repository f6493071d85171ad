/* named.h: the events of a run: event_start, event_finish, event_wait, event_stop. Each name is one event for
   all jobs. */
#ifndef NAMED_H
#define NAMED_H

#include <poll.h>
#include "plan.h"

struct named;

/* Opens them, before the first fork. *n is NULL if there are none. 0, or -errno with d. */
int named_open(struct named **n, const struct plan *p, struct diag *d);
/* The run is over: what has not been set as finished is. Removes those that it has made. */
void named_close(struct named *n);

/* For workers: the job (plan_job.index) begins to measure; it has measured. n may be NULL: no events. */
void named_started(const struct named *n, uint32_t job);
void named_measured(const struct named *n, uint32_t job);

/* For the parent: descriptors to poll, the first `before` of which are the caller's; their number. */
struct pollfd *named_polls(struct named *n, unsigned before, nfds_t *count);
/* After poll: true if the run is to end. */
bool named_look(struct named *n, unsigned before);
/* Whether the events that the jobs of a stage wait for are set. */
bool named_may_open(const struct named *n, const struct plan *p, uint32_t stage);
/* The event that ended the run (event_stop); NULL: none. n may be NULL. */
const char *named_stopped_by(const struct named *n);

#endif
