#include "offset_parts.h"

/* As in fio, a size that does not fit is drawn again, at most this often. */
#define REDRAWS 64

unsigned offset_dirs(const struct offset_cfg *cfg)
{
	return cfg->rw & RW_TRIMWRITE ? RW_TRIM : cfg->rw & RW_DIRS;
}

bool offset_unaligned(const struct offset_gen *g)
{
	for (unsigned d = 0; d < DIR_DATA; d++) {
		uint64_t size = g->block ? g->block : g->least[d];

		if (offset_dirs(g->cfg) & 1u << d && g->cfg->ba[d] && g->cfg->ba[d] != size)
			return true;
	}
	return false;
}

bool offset_no_coverage(const struct offset_cfg *cfg)
{
	return cfg->norandommap && cfg->generator != RANDGEN_LFSR;
}

/* bs_is_seq_rand: returns the smallest size of random or of sequential I/Os. If it does not fit, returns the
   smaller one of both. */
static uint32_t least_within(const struct offset_gen *g, bool random, uint64_t room)
{
	const struct bsize_cfg *c = &g->cfg->bsize;
	uint32_t least = bsize_entry_min(c, random ? BSIZE_RANDOM : BSIZE_SEQUENTIAL);

	return least <= room ? least : bsize_min(c, g->cfg->rw & RW_DIRS);
}

uint32_t offset_draw_within(struct offset_gen *g, enum io_dir dir, bool random, uint64_t room)
{
	const struct bsize_cfg *c = &g->cfg->bsize;

	if (g->fixed[dir])
		return g->fixed[dir];
	for (unsigned i = 0; i < REDRAWS; i++) {
		uint32_t len = bsize_draw(c, bsize_entry(c, random, dir), &g->rng);

		if (len <= room)
			return len;
	}
	return c->by_order ? least_within(g, random, room) : g->least[dir];
}

/* Returns the next place of the sequence. A cycle that would not fit behind the one before begins at the
 * start. */
static uint64_t next_of_sequence(struct offset_gen *g, uint64_t places)
{
	const struct dist_cfg *c = g->cfg->dist;
	uint64_t at = g->sequence_base + c->sequence[g->sequence_next];

	if (++g->sequence_next == c->sequence_n) {
		g->sequence_next = 0;
		if (g->cfg->sequence_stride)
			g->sequence_base += c->sequence_blocks;
		if (g->sequence_base + c->sequence_blocks > places)
			g->sequence_base = 0;
	}
	return at < places ? at : at % places;
}

uint64_t offset_draw_place(struct offset_gen *g, enum io_dir dir)
{
	uint64_t slots = g->places[dir], align = g->align[dir];

	if (g->cfg->dist && g->cfg->dist->kind == DIST_SKEWED)
		return skew_draw(g->skew[dir].skew, g->skew[dir].batch, &g->rng) * align;
	if (g->cfg->dist && g->cfg->dist->kind == DIST_SEQUENCE)
		return next_of_sequence(g, slots) * align;
	if (g->cfg->dist)
		return dist_draw(g->cfg->dist, dir, slots, align, g->zone_accesses[dir], &g->rng) * align;
	return rng_below(&g->rng, slots) * align;
}

uint64_t offset_draw_start(struct offset_gen *g, enum io_dir dir)
{
	uint64_t n;

	if (!g->block || offset_no_coverage(g->cfg) || g->cfg->dist || offset_unaligned(g))
		return offset_draw_place(g, dir);
	n = permute_next(&g->perm);
	if (n == UINT64_MAX) {
		permute_restart(&g->perm, rng_u64(&g->rng));
		n = permute_next(&g->perm);
	}
	return n * g->block;
}
