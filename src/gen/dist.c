#include "dist.h"

void dist_seal(struct dist_zones *z)
{
	unsigned at = 0;

	for (unsigned i = 0; i < z->n; i++)
		for (unsigned k = 0; k < z->zone[i].access && at < 100; k++)
			z->drawn[at++] = (uint8_t)i;
}

uint64_t dist_reach(const struct dist_cfg *c, enum io_dir dir)
{
	const struct dist_zones *z = &c->dir[dir];
	uint64_t end = z->n ? z->zone[z->n - 1].end : UINT64_MAX;

	return c->absolute && end != UINT64_MAX ? end : 0;
}

/* The first place at or behind this end of a zone. */
static uint64_t slot_at(const struct dist_cfg *c, uint64_t end, uint64_t slots, uint64_t align)
{
	uint64_t at;

	if (!c->absolute)
		return slots / 100 * end + slots % 100 * end / 100;
	at = end / align + (end % align != 0);
	return at < slots ? at : slots;
}

unsigned dist_share(const struct dist_cfg *c, enum io_dir dir, uint64_t len)
{
	const struct dist_zones *z = &c->dir[dir];
	unsigned sum = 0;

	if (!c->clip || !c->absolute)
		return 100;
	for (unsigned i = 0; i < z->n && (!i || z->zone[i - 1].end < len); i++)
		sum += z->zone[i].access;
	return sum;
}

uint64_t dist_slot(const struct dist_cfg *c, enum io_dir dir, uint64_t slots, uint64_t align, unsigned share,
		   struct rng *r)
{
	const struct dist_zones *z = &c->dir[dir];
	unsigned zone;
	uint64_t lo, hi;

	if (!z->n)
		return rng_below(r, slots);
	zone = z->drawn[rng_below(r, share)];
	lo = zone ? slot_at(c, z->zone[zone - 1].end, slots, align) : 0;
	hi = slot_at(c, z->zone[zone].end, slots, align);
	if (hi > lo)
		return lo + rng_below(r, hi - lo);
	return lo < slots ? lo : slots - 1;
}
