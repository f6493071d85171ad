#include "mix.h"

void mix_init(struct mixer *m, const struct mix_cfg *cfg, unsigned rw, uint64_t seed)
{
	__extension__ typedef unsigned __int128 u128;

	rng_init(&m->rng, seed);
	m->read_below = (uint64_t)(((u128)cfg->read_percent << 63) / 100);
	m->dirs = rw & RW_DIRS;
	m->last = DIR_WRITE;
}

enum io_dir mix_other(struct mixer *m)
{
	return m->last = m->last == DIR_TRIM ? DIR_WRITE : DIR_TRIM;
}
