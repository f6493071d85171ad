/* verify_doubtful.h: blocks that count as intact until a later block shows that they are damaged. */
#ifndef VERIFY_DOUBTFUL_H
#define VERIFY_DOUBTFUL_H

#include <stdint.h>
#include "region_verify.h"
#include "verify_check.h"

struct verify_damages;
struct worker;

struct verify_doubtful {
	uint64_t blocks; /* the first of them: */
	struct {
		uint32_t file;
		struct verify_damage damage;
	} first[VERIFY_DAMAGES];
	uint64_t *more; /* by file: blocks beyond first[]; NULL: none, or files are not counted */
};

void verify_doubtful_fini(struct verify_doubtful *v);
/* Adds a block with the damage that it may turn out to have. Until then it counts as checked and intact. */
void verify_doubtful_add(struct verify_doubtful *v, const struct worker *w, struct verify_damages *damages,
			 uint32_t file, const struct verify_damage *d);
/* Counts all these blocks as damaged, and forgets them. Their contents are gone, so verify_dump cannot dump
   them. */
void verify_doubtful_condemn(struct verify_doubtful *v, struct worker *w, struct verify_damages *damages);
/* Forgets the blocks: they are intact. */
void verify_doubtful_forget(struct verify_doubtful *v, const struct worker *w);

#endif
