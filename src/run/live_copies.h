/* live_copies.h: the numbers of a worker that is at work. Copying a slot while its worker writes it rarely
   succeeds and slows the worker down; so the parent asks, and the worker copies them to a spare between two
   batches. A worker that does not come round (blocked in a call, stopped, hung) leaves its slot alone: that
   is copied as it is. Private to run/. */
#ifndef LIVE_COPIES_H
#define LIVE_COPIES_H

#include "live_request.h"
#include "run.h"

struct live_copies;

/* NULL when memory is short. */
struct live_copies *live_copies_new(const struct plan *p);
void live_copies_free(struct live_copies *l);
/* All copies between these two are of about the same time. Jobs are asked in the order of their reports, and
   of their numbers within a report; whoever copies them so finds the answers waiting. */
void live_copies_begin(struct live_copies *l, const struct run *r);
void live_copies_end(struct live_copies *l, const struct run *r);

/* What belongs to a copy beside the counts. */
struct live_times {
	uint64_t start_ns, end_ns; /* of the measured phase; 0: not yet */
	uint64_t stamp_ns;         /* when the copy was made */
};
/* Fills snap->st (empty) and snap->cnt. */
void live_copies_take(struct live_copies *l, const struct run *r, uint32_t job, struct snapshot *snap,
		      struct live_times *t);

#endif
