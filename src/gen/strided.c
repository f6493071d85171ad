#include "bsize.h"
#include "offset_parts.h"

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Begins the turn of the zone at t->at. */
static void begin_turn(struct offset_gen *g)
{
	const struct zone_cfg *z = &g->cfg->zone;
	struct zone_turns *t = &g->turns;
	uint64_t len = smaller(z->range, t->len - t->at);

	t->left = len < z->range ? smaller(z->size, len) : z->size;
	offset_set_range(g, t->start + t->at, len);
	offset_begin_order(g, rng_mix64(t->key + ++t->turn));
}

/* Returns where the next zone begins that holds an I/O of every size. */
static uint64_t next_zone(const struct offset_gen *g)
{
	const struct zone_cfg *z = &g->cfg->zone;
	const struct zone_turns *t = &g->turns;
	uint64_t at = t->at + z->range + z->skip;
	uint32_t largest = bsize_max(&g->cfg->bsize, offset_dirs(g->cfg));

	return at < t->len && t->len - at >= largest ? at : 0;
}

/* Call this when the zone has no I/O left in this order: it uses the zone again, or begins the next turn if
   no I/O fits in the rest of this turn. */
static void renew(struct offset_gen *g, enum io_dir dir)
{
	struct zone_turns *t = &g->turns;

	if (t->left < g->least[dir]) {
		t->at = next_zone(g);
		begin_turn(g);
	} else if (g->order == OFFSET_SEQUENTIAL) {
		g->pos[dir] = 0;
	} else {
		offset_begin_order(g, rng_mix64(t->key + ++t->turn));
	}
}

void strided_begin(struct offset_gen *g, uint64_t key)
{
	struct zone_turns *t = &g->turns;

	t->key = key;
	t->turn = 0;
	t->at = 0;
	t->pass_left = t->pass_bytes;
	begin_turn(g);
}

bool strided_next(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	struct zone_turns *t = &g->turns;

	if (t->pass_left < g->least[dir] || g->places[dir] == 0)
		return false;
	if (!t->left) {
		t->at = next_zone(g);
		begin_turn(g);
	}
	while (!offset_draw_order(g, dir, offset, len))
		renew(g, dir);
	t->left -= smaller(t->left, *len);
	t->pass_left -= smaller(t->pass_left, *len);
	return true;
}
