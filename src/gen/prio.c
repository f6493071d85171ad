#include "prio.h"

#include <assert.h>

uint32_t prio_number(struct prio_set *s, uint16_t value)
{
	uint32_t i = 1;

	if (!s->n)
		s->n = 1;
	while (i < s->n && s->value[i] != value)
		i++;
	assert(i < PRIO_NUMBERS);
	if (i == s->n)
		s->value[s->n++] = value;
	return i;
}

void prio_init(struct prio_gen *g, const struct prio_set *set, uint64_t seed)
{
	g->set = set;
	rng_init(&g->rng, seed);
}

uint32_t prio_next(struct prio_gen *g, enum io_dir dir, uint32_t bytes)
{
	uint64_t percent;

	if (dir >= PRIO_DIRS || !g->set->shares[dir])
		return 0;
	percent = rng_below(&g->rng, 100);
	for (unsigned i = 0; i < g->set->shares[dir]; i++) {
		const struct prio_share *s = &g->set->share[dir][i];

		if (s->bytes && s->bytes != bytes)
			continue;
		if (percent < s->percent)
			return s->number;
		percent -= s->percent;
	}
	return 0;
}
