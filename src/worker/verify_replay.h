/* verify_replay.h: draws the writes of a job again, in their order, from the seeds of its generators. */
#ifndef VERIFY_REPLAY_H
#define VERIFY_REPLAY_H

#include <stdbool.h>
#include <stdint.h>
#include "io_source.h"
#include "quota.h"

struct verify_replay {
	const struct clone *clone;
	struct io_source source;
	struct quota quota;
	uint8_t *done;       /* files that are finished in this pass */
	enum io_dir pending; /* direction that was drawn at the end of a pass, for the next pass; DIR_COUNT:
				none */
};

/* A write that was drawn again. */
struct replayed_write {
	uint32_t file, bytes;
	uint64_t offset;
};

/* Begins at the first pass. Returns false if memory is short; call verify_replay_fini in any case. */
bool verify_replay_init(struct verify_replay *r, const struct clone *c);
void verify_replay_fini(struct verify_replay *r);
/* Draws the next write of the pass. Returns false at the end of the pass or of the job. */
bool verify_replay_next(struct verify_replay *r, struct replayed_write *write);
/* Begins the next pass. fresh: in a new order (time_based). */
void verify_replay_next_pass(struct verify_replay *r, bool fresh);
/* Draws the next write of a whole job without time_based: at the end of a pass it goes on with the next one.
   Returns false when the job has issued all its I/Os. */
bool verify_replay_next_of_job(struct verify_replay *r, struct replayed_write *write);

#endif
