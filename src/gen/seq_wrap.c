#include "offset_parts.h"

bool offset_wraps(const struct offset_cfg *cfg)
{
	return !(cfg->rw & RW_RANDOM) && (cfg->endless || cfg->shared_pos || cfg->shared || cfg->per_slot ||
					  cfg->wrap == SEQ_WRAP_TARGET);
}

void offset_set_first(struct offset_gen *g, uint64_t first)
{
	g->first = first;
	for (unsigned d = 0; d < DIR_DATA; d++)
		g->pos[d] = first;
}

void offset_share(struct offset_gen *g, _Atomic uint64_t *count)
{
	g->shared_count = count;
}

static bool shared_next(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	uint64_t step = g->least[dir] + (uint64_t)g->cfg->rw_stride, places;

	if (g->least[dir] > g->len)
		return false;
	places = (g->len - g->least[dir]) / step + 1;
	*offset = atomic_fetch_add_explicit(g->shared_count, 1, memory_order_relaxed) % places * step;
	*len = g->least[dir];
	return true;
}

bool seq_wrap_next(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	uint64_t *at = &g->pos[g->cfg->shared_pos ? 0 : dir], step;
	uint32_t block;

	if (g->shared_count)
		return shared_next(g, dir, offset, len);
	block = g->fixed[dir] ? g->fixed[dir] : bsize_draw(&g->cfg->bsize, dir, &g->rng);
	step = block + (uint64_t)g->cfg->rw_stride;
	if (block > g->len)
		return false;
	if (*at > g->len - block)
		*at = g->cfg->wrap == SEQ_WRAP_TARGET ? g->first % step : 0;
	if (*at > g->len - block)
		*at = 0;
	*offset = *at;
	*len = block;
	*at += step;
	return true;
}

enum io_dir offset_draw_run_dir(struct offset_gen *g, struct mixer *m)
{
	enum io_dir dir = g->run_exists ? g->run_dir : mix_next(m);
	uint32_t percent = g->cfg->random_percent[dir];

	g->run_random = percent == 100 || rng_below(&g->rng, 100) < percent;
	if (g->run_random && g->run_exists)
		dir = mix_next(m);
	g->run_exists = true;
	g->run_dir = dir;
	return dir;
}

bool seq_wrap_next_of_run(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	uint64_t *at = &g->pos[0];

	if (g->places[dir] == 0 || g->pass_left < g->least[dir])
		return false;
	if (g->run_random)
		*at = offset_draw_start(g, dir);
	else if (*at > g->len - g->least_follow[dir])
		*at = 0;
	*offset = *at;
	*len = offset_draw_within(g, dir, g->run_random, g->len - *at);
	*at += g->cfg->ba[dir] ? g->cfg->ba[dir] : *len;
	g->pass_left -= *len < g->pass_left ? *len : g->pass_left;
	return true;
}
