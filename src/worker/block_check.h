/* block_check.h: the check of one block that was read back. The worker fills it in and counts its result; the
   check itself may run in another thread (verify_async). */
#ifndef BLOCK_CHECK_H
#define BLOCK_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include "verify_check.h"
#include "verify_source.h"

struct block_check {
	uint32_t file;
	struct verify_block_ref block;
	struct verify_expect expect;
	unsigned char *buf; /* the bytes that were read: block.bytes */
	/* The result: */
	bool intact;
	uint64_t unchecked; /* bytes that nothing could check */
	struct verify_damage damage;
};

static inline void block_check_run(struct block_check *c, const struct verify_format *f)
{
	c->unchecked = 0;
	c->intact = verify_check_range(f, &c->expect, c->buf, c->block.from, c->block.bytes, &c->damage,
				       &c->unchecked);
}

#endif
