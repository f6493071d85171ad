/* verify_trim.h: trims of written blocks before they are verified (trim_percentage). Once the job has
   written, the verification walks over its blocks twice: first it trims the chosen ones, then it reads. So it
   finds a trim that hits other blocks, too. With trim_backlog some trims precede the end of the writes. */
#ifndef VERIFY_TRIM_H
#define VERIFY_TRIM_H

#include <stdbool.h>
#include <stdint.h>

struct block_check;
struct verify_damages;
struct clone;
struct verify_block_ref;
struct worker;

/* The zero blocks of an earlier run. Which of its blocks it has trimmed is perhaps not known, but their share
   is: more zero blocks have lost their data. */
struct verify_trim_share {
	uint64_t blocks;   /* different blocks that were read, */
	uint64_t zero;     /* those of them that are zero, */
	uint64_t accepted; /* and those of these that count as trimmed without proof */
	uint32_t file;     /* which has the accepted ones, */
	uint64_t from, to; /* and where they lie in it */
	bool several_files;
};

struct verify_trim {
	unsigned percent; /* of the written blocks; 0: none is trimmed */
	bool own_blocks;  /* this job wrote the blocks, and trims them; otherwise an earlier run did */
	bool check_zero;  /* the trimmed blocks are read, too, and must be zero */
	bool trimming;    /* the first walk: blocks are being trimmed */
	struct verify_trim_share share;
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

/* Counts a block of an earlier run that was checked. */
void verify_trim_count(struct verify_trim *t, const struct block_check *c);
/* Counts as damaged how many blocks are zero beyond the share of trims, and adds a note. Call it once all
   blocks have been checked. deferred: zero blocks that count as checked, because their writer is not known.
 */
void verify_trim_end(struct verify_trim *t, struct worker *w, struct verify_damages *damages,
		     uint64_t deferred);

#endif
