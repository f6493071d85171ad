/* live_copies.h: copies of the numbers of running workers. Copying a slot while its worker writes it
   rarely succeeds and slows the worker down. So the parent sends a request, and the worker copies its numbers
   to a buffer between two batches. If a worker is blocked, stopped or hung, its slot does not change, and the
   parent copies the slot itself. */
#ifndef LIVE_COPIES_H
#define LIVE_COPIES_H

#include <stdint.h>

struct live_copies;
struct plan;
struct run;
struct snapshot;

/* Returns NULL if memory is short. */
struct live_copies *live_copies_new(const struct plan *p);
void live_copies_free(struct live_copies *l);
/* All copies taken between these two are of about the same time. The parent sends the requests in the order
   of the report's entries and, within an entry, of plan_job.index; taking the copies in this order is
   fastest. */
void live_copies_begin(struct live_copies *l, const struct run *r);
void live_copies_end(struct live_copies *l, const struct run *r);

/* The times of a copy. */
struct live_times {
	uint64_t start_ns, end_ns; /* of the measured phase, clock_ns(); 0: not yet */
	uint64_t stamp_ns;         /* clock_ns() of the copy */
};
/* Fills snap->cnt and snap->st, which the caller has initialised as empty. */
void live_copies_take(struct live_copies *l, const struct run *r, uint32_t job, struct snapshot *snap,
		      struct live_times *t);

#endif
