/* verify_writer.h: in jobs that only verify (verify_only, reads): did this job write the blocks, in an
   earlier run? Then blocks of other writes are damage; else nobody knows their seeds and numbers. The first
   block of this job decides. Intact blocks of other writes that were read before it wait for that. */
#ifndef VERIFY_WRITER_H
#define VERIFY_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include "region_verify.h"
#include "verify_check.h"

struct block_check;
struct verify_damages;
struct worker;

struct verify_writer {
	bool own;       /* the job wrote the blocks */
	uint64_t other; /* blocks that wait; the first of them: */
	struct {
		uint32_t file;
		struct verify_damage damage;
	} first[VERIFY_DAMAGES];
};

/* Takes the result of a check. Returns whether the block waits: then it has been counted. */
bool verify_writer_ask(struct verify_writer *v, struct worker *w, struct verify_damages *damages,
		       const struct block_check *c);
/* All blocks have been checked. */
void verify_writer_end(const struct verify_writer *v, const struct worker *w);

#endif
