/* depth_one.h: what engines of depth 1 share: the I/O that is done and not yet reaped. Their state begins
 * with it.
 */
#ifndef DEPTH_ONE_H
#define DEPTH_ONE_H

#include "engine.h"

struct depth_one {
	struct io *done;
};

/* For submit: io is done, with this res. */
static inline int depth_one_done(struct depth_one *o, struct io *io, int64_t res)
{
	io->res = res;
	o->done = io;
	return 1;
}

/* The reap of such an engine. */
int depth_one_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max, uint64_t timeout_ns);

#endif
