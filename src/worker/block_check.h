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
	bool ask_writer;    /* another program may have written the block: see verify_writer.h */
	/* The result: */
	bool intact;
	bool other_write;   /* not intact, but ask_writer, and another write has left it whole */
	uint64_t unchecked; /* bytes that nothing could check */
	struct verify_damage damage;
};

/* Returns whether the block is whole, but all of it is of another write. */
static inline bool block_check_other_write(const struct block_check *c, const struct verify_format *f)
{
	struct verify_expect any = { .write = c->expect.write };
	const struct verify_header *h = &c->damage.header;
	struct verify_damage d;
	uint64_t unchecked = 0;

	if (!c->damage.has_header || c->damage.kind == DAMAGE_TORN ||
	    (h->seed == c->expect.write.seed && h->number == c->expect.write.number))
		return false;
	return verify_check_range(f, &any, c->buf, c->block.from, c->block.bytes, &d, &unchecked);
}

static inline void block_check_run(struct block_check *c, const struct verify_format *f)
{
	c->unchecked = 0;
	c->intact = verify_check_range(f, &c->expect, c->buf, c->block.from, c->block.bytes, &c->damage,
				       &c->unchecked);
	c->other_write = c->ask_writer && !c->intact && block_check_other_write(c, f);
}

#endif
