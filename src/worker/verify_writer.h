/* verify_writer.h: finds out whether a job that only verifies (verify_only, reads), or another clone of it,
   has written the blocks in an earlier run. If it has, blocks of other writes are damaged; otherwise their
   seeds and numbers cannot be checked. The first intact block of this job decides. Intact blocks of other
   writes that are read before it wait until then. Where the job has perhaps never written a block, that of
   another write is an older one, and counts as not checked. */
#ifndef VERIFY_WRITER_H
#define VERIFY_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include "verify_doubtful.h"

struct block_check;
struct verify_damages;
struct worker;

struct verify_writer {
	bool own_blocks;        /* the job wrote the blocks */
	uint64_t others;        /* blocks of other jobs of this run, which were checked by their headers */
	uint64_t other_headers; /* blocks that are not checked, with headers of another kind or size */
	uint64_t older;         /* blocks that wait and turn out to be not checked, or intact */
	uint64_t zero;          /* blocks among the pending ones that are zero */
	struct verify_doubtful pending; /* blocks that wait and turn out to be damaged, or intact */
};

/* Takes the result of a check. Returns true if the block waits; then this function has counted it. */
bool verify_writer_defers(struct verify_writer *v, struct worker *w, struct verify_damages *damages,
			  const struct block_check *c);
/* Adds a note if blocks were of other jobs, of other kinds, or all of other writes. Call it once all blocks
   have been checked. */
void verify_writer_end(const struct verify_writer *v, const struct worker *w);

#endif
