/* replay_addresses.h: the parts of each target that the I/Os of a trace touch, for replay_address=compact.
   Private to job/. */
#ifndef REPLAY_ADDRESSES_H
#define REPLAY_ADDRESSES_H

#include "extents.h"
#include "replay.h"
#include "rules.h"

struct replay_addresses {
	struct extents *target; /* by number */
	size_t n;
	size_t entries; /* of all */
};

/* Adds an I/O, whose device is the number of its target. Returns 0 or -errno with r->d. */
int replay_addresses_add(struct replay_addresses *x, struct rule_ctx *r, const struct trace_event *e);
/* At the end of the pass: sets where the I/Os go, and in end[] where they then end. */
int replay_addresses_set(struct replay_addresses *x, struct rule_ctx *r, struct replay_facts *f,
			 uint64_t *end);
void replay_addresses_fini(struct replay_addresses *x);

#endif
