#include "verify_uncertain.h"

#include "block_check.h"
#include "clone.h"
#include "rng.h"
#include "verify_cell.h"
#include "verify_source.h"

/* Returns whether the sector is of a write that the unit may hold, or these writes are not known. */
static bool sector_explained(const struct verify_source *s, const struct verify_format *f,
			     const struct block_check *c, uint32_t at, uint64_t seed)
{
	const uint64_t offset = c->block.offset + c->block.from + at;
	struct verify_history h;
	uint64_t number;

	verify_source_history(s, &h, c->file, &c->block, offset);
	while (verify_history_next(&h, &number))
		if (verify_cell_is_of(f, c->buf + at, offset, rng_mix64(seed + number), number))
			return true;
	return !h.complete;
}

bool verify_uncertain_explains(const struct verify_source *s, const struct verify_format *f,
			       const struct block_check *c, uint64_t seed)
{
	const struct plan_job *pj = s->clone->job;
	const struct verify_block_ref *b = &c->block;

	if (!b->oldest_write || pj->rw & RW_TRIM || c->maybe_trimmed)
		return true;
	if (!verify_cells_known(f, pj->content.unit) || (b->offset + b->from) % VERIFY_DATA_CELL ||
	    b->bytes % VERIFY_DATA_CELL)
		return c->damage.kind != DAMAGE_STALE || c->damage.found + 1 >= b->oldest_write;
	for (uint32_t at = 0; at < b->bytes; at += VERIFY_DATA_CELL)
		if (!sector_explained(s, f, c, at, seed))
			return false;
	return true;
}
