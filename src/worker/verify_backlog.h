/* verify_backlog.h: the blocks that a job has written and not read back yet, oldest first (verify_backlog).

   With VERIFY_REPLAY the writes of the pass are drawn again. With VERIFY_MAP a ring has the last writes, and
   the map says which bytes of each later writes have left. If the ring is too small, which small batches
   (verify_backlog_batch) can cause, the oldest writes leave it unread. Then the verification at the end reads
   them and all later ones. */
#ifndef VERIFY_BACKLOG_H
#define VERIFY_BACKLOG_H

#include <stdbool.h>
#include <stdint.h>
#include "verify_source.h"

struct backlog_write {
	uint64_t offset;
	uint32_t file, bytes;
};

struct verify_backlog {
	struct verify_source *source;
	uint64_t tail;         /* VERIFY_MAP: the oldest write that has not been read back */
	uint64_t piece_offset; /* where its bytes begin that have not been read back, in the file; 0: at its
				  offset */
	struct backlog_write *write;
	uint64_t capacity; /* writes in the ring; 0: no ring (VERIFY_REPLAY) */
	bool overflowed;   /* writes have left the ring unread */
};

/* Returns false if memory is short; call verify_backlog_fini in any case. */
bool verify_backlog_init(struct verify_backlog *b, struct verify_source *s, const struct clone *c);
void verify_backlog_fini(struct verify_backlog *b);
/* Adds the next write. Call it before verify_source_add. */
void verify_backlog_add(struct verify_backlog *b, uint32_t file, const struct verify_block_ref *block);
/* Returns the next block to read. Returns false if all have been read. */
bool verify_backlog_next(struct verify_backlog *b, uint32_t *file, struct verify_block_ref *block);
/* Begins another loop, after all blocks have been read. */
void verify_backlog_next_loop(struct verify_backlog *b);

#endif
