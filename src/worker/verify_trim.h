/* verify_trim.h: trims of written blocks before they are verified (trim_percentage). Once the job has
   written, the verification walks over its blocks twice: first it trims the chosen ones, then it reads. So it
   finds a trim that hits other blocks, too. With trim_backlog some trims precede the end of the writes. */
#ifndef VERIFY_TRIM_H
#define VERIFY_TRIM_H

#include <stdbool.h>
#include <stdint.h>

struct block_check;
struct clone;
struct verify_block_ref;

struct verify_trim {
	unsigned percent; /* of the written blocks; 0: none is trimmed */
	bool own_blocks;  /* this job wrote the blocks, and trims them; otherwise an earlier run did */
	bool check_zero;  /* the trimmed blocks are read, too, and must be zero */
	bool trimming;    /* the first walk: blocks are being trimmed */
};

/* Initialises t for this job. */
void verify_trim_init(struct verify_trim *t, const struct clone *c);
/* Returns whether the walk takes this block: to trim it, or to read it. Adds to *not_checked if it is never
   read. */
bool verify_trim_includes(const struct verify_trim *t, const struct verify_block_ref *b,
			  uint64_t *not_checked);
/* Sets c->trimmed and c->maybe_trimmed: whether the block must be, or may be, zero because of a trim. header:
   the number in its header; NULL: it has no intact one. */
void verify_trim_expect(const struct verify_trim *t, struct block_check *c, const uint64_t *header);

#endif
