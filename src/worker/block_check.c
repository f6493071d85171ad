#include "block_check.h"

#include "verify_pieces.h"

/* Returns whether another program may have written the block: it has no digest of its data (meta), and these
   are no data of fiord. */
static bool may_be_foreign(const struct block_check *c, const struct verify_format *f)
{
	const uint32_t step = verify_part_bytes(f->cfg, c->block.whole);
	struct verify_data_source source;

	if (f->cfg->kind != VERIFY_META || f->cfg->pattern || c->block.bytes != c->block.whole)
		return false;
	for (uint32_t at = 0; at < c->block.bytes; at += step)
		if (verify_data_source(&f->data, c->buf + at, step, 0, at, &source))
			return false;
	return true;
}

/* Returns whether the block is whole, but all of it is of another write. */
static bool is_whole_other_write(const struct block_check *c, const struct verify_format *f)
{
	struct verify_expect any = { .write = c->expect.write };
	const struct verify_header *h = &c->damage.header;
	struct verify_damage d;
	uint64_t unchecked = 0;

	if (!c->damage.has_header || (c->damage.kind == DAMAGE_TORN && !may_be_foreign(c, f)) ||
	    (h->seed == c->expect.write.seed && h->number == c->expect.write.number))
		return false;
	return verify_check_range(f, &any, c->buf, c->block.from, c->block.bytes, &d, &unchecked);
}

/* Checks part `at` of a block by itself: it may be of any write, in a block that begins anywhere. */
static bool check_part_alone(const struct block_check *c, const struct verify_format *f, uint32_t at,
			     uint32_t bytes)
{
	bool seed_data = f->cfg->kind == VERIFY_META && !f->cfg->pattern && bytes % VERIFY_SECTOR == 0;
	struct verify_expect e = { .seed = true, .seed_data = seed_data || f->cfg->pattern };
	struct verify_data_source source;
	struct verify_header h;
	struct verify_damage d;
	uint64_t unchecked = 0;
	uint32_t from = at;

	verify_header_read(&h, c->buf + at + f->cfg->offset);
	if (seed_data) {
		if (!verify_data_source(&f->data, c->buf + at, bytes, h.seed, 0, &source) ||
		    source.seed != h.seed || source.sectors * VERIFY_SECTOR > UINT32_MAX - bytes)
			return false;
		from = (uint32_t)source.sectors * VERIFY_SECTOR;
	}
	e.write = (struct verify_write){ .offset = c->block.offset + at - from,
					 .bytes = from + bytes,
					 .seed = h.seed };
	return verify_check_range(f, &e, c->buf + at, from, bytes, &d, &unchecked);
}

/* Returns whether each part of the block is intact by itself. */
static bool parts_are_intact(const struct block_check *c, const struct verify_format *f)
{
	const uint32_t step = verify_part_bytes(f->cfg, c->block.whole);

	if (!f->head)
		return false;
	for (uint32_t at = 0; at < c->block.whole; at += step)
		if (!check_part_alone(c, f, at, step))
			return false;
	return true;
}

/* Names the damage of a block that another job has probably written. It uses the block's own header, because
   the seed and the number that this job expects do not tell which bytes are wrong. */
static void name_by_header(struct block_check *c, const struct verify_format *f)
{
	struct verify_expect own = { .write = c->expect.write, .seed = true, .seed_data = true };
	struct verify_damage d;
	uint64_t unchecked = 0;

	if (!c->damage.has_header)
		return;
	own.write.seed = c->damage.header.seed;
	own.write.number = c->damage.header.number;
	if (!verify_check_range(f, &own, c->buf, c->block.from, c->block.bytes, &d, &unchecked))
		c->damage = d;
}

/* Accepts a zeroed block as trimmed by an earlier run if its last write is not known: if its header may have
   any number, or if neither seed nor number is checked. */
static void accept_trimmed(struct block_check *c)
{
	struct verify_damage d;

	if (!verify_check_zero(c->buf, c->block.bytes, c->block.offset, &d))
		return;
	c->zero = true;
	c->intact = c->block.number_unknown || (!c->expect.seed && !c->expect.number);
	c->unchecked = c->block.bytes;
	c->other_write = c->writer_unknown && !c->intact;
}

/* Accepts pieces of several writes in place of a block. */
static void accept_pieces(struct block_check *c, const struct verify_format *f)
{
	const struct verify_pieces p = { c->block.offset, c->block.bytes, c->unit, c->block_max };
	enum verify_damage_kind kind = c->damage.kind;

	if (kind == DAMAGE_OLD_FIO || kind == DAMAGE_VERSION || kind == DAMAGE_OTHER_KIND)
		return;
	c->intact = c->maybe_trimmed || verify_pieces_check(f, &p, c->buf, &c->damage, &c->unchecked);
	c->only_parts = c->intact;
	if (c->maybe_trimmed)
		c->unchecked = c->block.bytes;
}

void block_check_run(struct block_check *c, const struct verify_format *f)
{
	c->unchecked = 0;
	c->zero = false;
	if (c->trimmed) {
		c->intact = verify_check_zero(c->buf, c->block.bytes, c->block.offset + c->block.from,
					      &c->damage);
		c->zero = c->intact;
		return;
	}
	c->intact = verify_check_range(f, &c->expect, c->buf, c->block.from, c->block.bytes, &c->damage,
				       &c->unchecked);
	c->other_write = c->writer_unknown && !c->intact && is_whole_other_write(c, f);
	if (c->maybe_trimmed && !c->intact)
		accept_trimmed(c);
	if (c->mixed_writes && !c->intact && !c->other_write && parts_are_intact(c, f)) {
		c->intact = true;
		c->only_parts = true;
	}
	if (c->unit && !c->intact && !c->other_write)
		accept_pieces(c, f);
	else if (c->other_job && !c->intact && !c->other_write)
		name_by_header(c, f);
}
