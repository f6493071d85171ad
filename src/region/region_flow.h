/* region_flow.h: the memory that the jobs of a flow share: how many I/Os each has issued. Each job writes its
   own count. A job that is held, because it is ahead, sleeps until the job that holds it has issued enough
   I/Os and wakes it. */
#ifndef REGION_FLOW_H
#define REGION_FLOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct plan;
struct region;

enum flow_state {
	FLOW_ACTIVE,  /* holds the others, from the start of the wave on */
	FLOW_LATER,   /* startdelay: joins when it starts */
	FLOW_TIME_UP, /* its runtime is over: holds those whose runtime ends at the same time */
	FLOW_LEFT,    /* has issued all its I/Os, or failed */
};

/* One job, by number in plan.flows. */
struct region_flow {
	_Alignas(64) _Atomic uint64_t ios; /* issued; if the job joined later, as if it had begun with the
					      others */
	_Atomic uint64_t deadline_ns;      /* FLOW_TIME_UP: when its runtime was over */
	_Atomic uint32_t state;            /* enum flow_state */
	_Atomic uint32_t awaited;          /* jobs that wait for this one */
	_Atomic uint32_t waits_for;        /* 1 + the job that holds this one; 0: none */
	_Atomic uint64_t wanted_ios;       /* it sleeps until it is allowed this many I/Os in all */
};

/* Why a job is held. */
struct flow_hold {
	uint64_t deadline_ns; /* when the runtime of the job ends; UINT64_MAX: never */
	uint64_t wanted_ios;  /* it sleeps until it is allowed this many I/Os in all */
	uint32_t holder;      /* the job that holds it */
};

/* Sets the states before the first fork. */
void region_flow_init(const struct region *r, const struct plan *p);
/* The job joins the flow. Its count begins at its share of what the slowest job of the flow has issued.
   Returns this count. */
uint64_t region_flow_join(const struct region *r, const struct plan *p, uint32_t member);
/* Publishes how many I/Os the job has issued, and wakes the jobs that may go on. */
void region_flow_issued(const struct region *r, const struct plan *p, uint32_t member, uint64_t ios);
/* Returns how many I/Os in all the others allow the job (UINT64_MAX: any number), and sets h->by to the job
   that allows the fewest. The caller sets h->deadline_ns. */
uint64_t region_flow_allowed(const struct region *r, const struct plan *p, uint32_t member,
			     struct flow_hold *h);
/* Returns whether a job of the flow has not started yet. */
bool region_flow_incomplete(const struct region *r, const struct plan *p, uint32_t member);
/* Sleeps until the job h->by allows h->wanted I/Os or leaves the flow, the parent interrupts the worker, or
   clock_ns() reaches until_ns, which is not later than h->deadline_ns. */
void region_flow_wait(const struct region *r, const struct plan *p, uint32_t member,
		      const struct flow_hold *h, uint64_t until_ns);
/* The job issues no more I/Os: it holds others no longer, or with FLOW_TIME_UP only those whose runtime ends
   at the same time. Has no effect for a job that has left the flow. */
void region_flow_leave(const struct region *r, const struct plan *p, uint32_t member, enum flow_state state,
		       uint64_t deadline_ns);

#endif
