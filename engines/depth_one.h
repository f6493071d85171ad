/* depth_one.h: submit and reap of engines of depth 1. Their state begins with a struct depth_one, which
   holds the completed I/O until it is reaped. */
#ifndef DEPTH_ONE_H
#define DEPTH_ONE_H

#include "engine.h"

struct depth_one {
	struct io *done;
};

/* For submit: records that io is complete with this res. Returns 1, the number of I/Os taken. */
static inline int depth_one_done(struct depth_one *o, struct io *io, int64_t res)
{
	io->res = res;
	o->done = io;
	return 1;
}

/* Engines of depth 1 use this function as their reap. */
int depth_one_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max, uint64_t timeout_ns);

#endif
