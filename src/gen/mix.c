#include "mix.h"

void mix_init(struct mixer *m, const struct mix_cfg *cfg, unsigned rw, uint64_t seed)
{
	__extension__ typedef unsigned __int128 u128;

	rng_init(&m->rng, seed);
	m->read_below = (uint64_t)(((u128)cfg->read_percent << 63) / 100);
	m->dirs = rw & RW_TRIMWRITE ? RW_TRIM : rw & RW_DIRS;
}
