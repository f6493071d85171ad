#include "block_check.h"

#include "clone.h"
#include "rng.h"
#include "verify_pieces.h"
#include "verify_sizes.h"
#include "verify_source.h"

/* Returns whether the sector is of a write that the unit may hold, or these writes are not known: then *known
   becomes false. */
static bool sector_explained(const struct verify_source *s, const struct verify_format *f,
			     const struct block_check *c, uint32_t at, uint64_t seed, bool *known)
{
	const uint64_t offset = c->block.offset + c->block.from + at;
	struct verify_history h;
	uint64_t number;

	verify_source_history(s, &h, c->file, &c->block, offset);
	while (verify_history_next(&h, &number))
		if (verify_sector_is_of(f, c->buf + at, offset, rng_mix64(seed + number), number))
			return true;
	*known = false;
	return !h.complete;
}

/* Marks the bytes of a sector that the write of this seed may have left. If blocks have several sizes, its
   block may begin at any unit. */
static void explain_bytes(const struct verify_source *s, const struct verify_format *f,
			  const struct block_check *c, uint32_t at, uint64_t seed,
			  struct verify_sector_bytes *bytes)
{
	const struct plan_job *pj = s->clone->job;
	const uint64_t offset = c->block.offset + c->block.from + at;
	uint64_t pos = c->block.from + at, unit = pj->verify.unit;

	if (!c->block.piece) {
		verify_sector_explain(f, c->buf + at, pos, seed, bytes);
		return;
	}
	for (pos = (offset - pj->files[c->file].start) % unit;
	     pos + VERIFY_SECTOR <= verify_sizes_max(&pj->job->opts.offset); pos += unit)
		verify_sector_explain(f, c->buf + at, pos, seed, bytes);
}

/* Returns whether each byte of the sector is of a write that the unit may hold: a kill can end a copy into a
   mapped file at any byte. */
static bool mix_explained(const struct verify_source *s, const struct verify_format *f,
			  const struct block_check *c, uint32_t at, uint64_t seed)
{
	const uint64_t offset = c->block.offset + c->block.from + at;
	struct verify_sector_bytes bytes = { 0 };
	struct verify_history h;
	uint64_t number;

	verify_source_history(s, &h, c->file, &c->block, offset);
	while (verify_history_next(&h, &number))
		explain_bytes(s, f, c, at, rng_mix64(seed + number), &bytes);
	return verify_sector_explained(&bytes);
}

bool verify_uncertain_explains(const struct verify_source *s, const struct verify_format *f,
			       const struct block_check *c, uint64_t seed, bool *known)
{
	const struct plan_job *pj = s->clone->job;
	const struct verify_block_ref *b = &c->block;

	*known = false;
	if (!b->oldest_write || pj->rw & RW_TRIM || c->maybe_trimmed)
		return true;
	if (!verify_sectors_known(f, pj->content.unit) || (b->offset + b->from) % VERIFY_SECTOR ||
	    b->bytes % VERIFY_SECTOR) {
		*known = c->damage.kind == DAMAGE_STALE;
		return c->damage.kind != DAMAGE_STALE || c->damage.found + 1 >= b->oldest_write;
	}
	*known = true;
	for (uint32_t at = 0; at < b->bytes; at += VERIFY_SECTOR) {
		bool sector_known = true;

		if (sector_explained(s, f, c, at, seed, &sector_known)) {
			*known &= sector_known;
		} else if (!s->saved->shape.copied || !mix_explained(s, f, c, at, seed)) {
			*known = false;
			return false;
		}
	}
	return true;
}
