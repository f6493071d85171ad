/* verify_replay.h: draws the writes of a job again, in their order, from the seeds of its generators
   (VERIFY_REPLAY). */
#ifndef VERIFY_REPLAY_H
#define VERIFY_REPLAY_H

#include <stdbool.h>
#include <stdint.h>
#include "io_source.h"

struct verify_replay {
	struct io_source source;
	uint8_t *done; /* files that are finished */
};

/* A write that was drawn again. */
struct replayed_write {
	uint32_t file, bytes;
	uint64_t offset;
};

/* Returns false if memory is short; call verify_replay_fini in any case. */
bool verify_replay_init(struct verify_replay *r, const struct clone *c);
void verify_replay_fini(struct verify_replay *r);
/* Draws the next write of the pass. Returns false at its end. */
bool verify_replay_next(struct verify_replay *r, struct replayed_write *write);

#endif
