/* flow_wait.h: a worker of a flow (flow) waits while it is ahead of the others. The functions take the place
   of schedule_next and schedule_take; a worker of no flow executes none of this. */
#ifndef FLOW_WAIT_H
#define FLOW_WAIT_H

#include <stdbool.h>
#include <stdint.h>

struct clone;
struct worker;

struct flow_wait {
	uint64_t ios;           /* issued so far, and the count with which the worker joined */
	uint64_t allowed;       /* when ios reaches this, the worker looks at the others again */
	uint64_t held_since_ns; /* 0: it is not held */
};

/* Sets the functions of the scheduler, if the job belongs to a flow. Called after schedule_init. */
void flow_wait_init(struct worker *w);
/* The worker is about to issue its first I/O: it joins the flow if others have begun before it. */
void flow_wait_begin(struct worker *w);
/* The worker issues no more I/Os of its own; it may still read back what it has written. */
void flow_wait_end(struct worker *w);
/* The worker ends, and may never have begun. */
void flow_wait_leave(const struct clone *c);

#endif
