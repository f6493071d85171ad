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
	bool trimmed;       /* all bytes must be zero */
	bool maybe_trimmed; /* all bytes may be zero: an earlier run has trimmed some blocks */
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

/* A block that is zero was trimmed by an earlier run, unless the write that was expected there is the last
   one. Nobody knows that if any write may be, or if seeds and numbers are not checked. */
static inline void block_check_maybe_trimmed(struct block_check *c)
{
	struct verify_damage d;

	if (!verify_check_zero(c->buf, c->block.bytes, c->block.offset, &d))
		return;
	c->intact = c->block.any_number || (!c->expect.seed && !c->expect.number);
	c->unchecked = c->block.bytes;
	c->other_write = c->ask_writer && !c->intact;
}

static inline void block_check_run(struct block_check *c, const struct verify_format *f)
{
	c->unchecked = 0;
	if (c->trimmed) {
		c->intact = verify_check_zero(c->buf, c->block.bytes, c->block.offset + c->block.from,
					      &c->damage);
		return;
	}
	c->intact = verify_check_range(f, &c->expect, c->buf, c->block.from, c->block.bytes, &c->damage,
				       &c->unchecked);
	c->other_write = c->ask_writer && !c->intact && block_check_other_write(c, f);
	if (c->maybe_trimmed && !c->intact)
		block_check_maybe_trimmed(c);
}

#endif
