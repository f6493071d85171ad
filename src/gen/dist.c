#include "dist.h"

void dist_prepare(struct dist_zones *z)
{
	unsigned at = 0;

	for (unsigned i = 0; i < z->n; i++)
		for (unsigned k = 0; k < z->zone[i].access && at < 100; k++)
			z->zone_of_percent[at++] = (uint8_t)i;
}

uint64_t dist_end(const struct dist_cfg *c, enum io_dir dir)
{
	const struct dist_zones *z = &c->dir[dir];
	uint64_t end = z->n ? z->zone[z->n - 1].end : UINT64_MAX;

	return c->absolute && end != UINT64_MAX ? end : 0;
}

/* Returns the first place at or after this end of a zone; with clip, as in DISKSPD, the last place not
   after it. */
static uint64_t zone_boundary(const struct dist_cfg *c, uint64_t end, uint64_t places, uint64_t align)
{
	uint64_t at;

	if (!c->absolute)
		return places / 100 * end + places % 100 * end / 100;
	at = end / align + (!c->clip && end % align != 0);
	return at < places ? at : places;
}

static struct dist_range range_of(const struct dist_cfg *c, const struct dist_zones *z, unsigned zone,
				  uint64_t places, uint64_t align)
{
	bool last = zone + 1u == z->n && c->clip && c->absolute;

	return (struct dist_range){ .lo = zone ? zone_boundary(c, z->zone[zone - 1].end, places, align) : 0,
				    .hi = last ? places
					       : zone_boundary(c, z->zone[zone].end, places, align) };
}

static bool is_empty(struct dist_range s)
{
	return s.hi <= s.lo;
}

/* As in DISKSPD: the next zone that has places and accesses, else the one before, else all places. */
static struct dist_range range_of_neighbour(const struct dist_cfg *c, const struct dist_zones *z,
					    unsigned zone, uint64_t places, uint64_t align)
{
	struct dist_range s;

	for (unsigned i = zone + 1; i < z->n; i++) {
		s = range_of(c, z, i, places, align);
		if (z->zone[i].access && !is_empty(s))
			return s;
	}
	for (unsigned i = zone; i--;) {
		s = range_of(c, z, i, places, align);
		if (z->zone[i].access && !is_empty(s))
			return s;
	}
	return (struct dist_range){ 0, places };
}

/* Returns the block in which a zone begins. */
static struct dist_range first_block(const struct dist_cfg *c, const struct dist_zones *z, unsigned zone,
				     uint64_t places, uint64_t align)
{
	uint64_t end = zone ? z->zone[zone - 1].end : 0;
	uint64_t at = c->absolute ? end / align : zone_boundary(c, end, places, align);

	at = at < places ? at : places - 1;
	return (struct dist_range){ at, at + 1 };
}

struct dist_range dist_zone_range(const struct dist_cfg *c, enum io_dir dir, unsigned zone, uint64_t places,
				  uint64_t align)
{
	const struct dist_zones *z = &c->dir[dir];
	struct dist_range s = range_of(c, z, zone, places, align);

	if (!is_empty(s))
		return s;
	return c->clip ? range_of_neighbour(c, z, zone, places, align)
		       : first_block(c, z, zone, places, align);
}

unsigned dist_accesses(const struct dist_cfg *c, enum io_dir dir, uint64_t len)
{
	const struct dist_zones *z = &c->dir[dir];
	unsigned sum = 0;

	if (!c->clip || !c->absolute)
		return 100;
	for (unsigned i = 0; i < z->n && (!i || z->zone[i - 1].end < len); i++)
		sum += z->zone[i].access;
	return sum;
}

uint64_t dist_draw(const struct dist_cfg *c, enum io_dir dir, uint64_t places, uint64_t align,
		   unsigned accesses, struct rng *r)
{
	const struct dist_zones *z = &c->dir[dir];
	struct dist_range s;

	if (!z->n)
		return rng_below(r, places);
	s = dist_zone_range(c, dir, z->zone_of_percent[rng_below(r, accesses)], places, align);
	return s.lo + rng_below(r, s.hi - s.lo);
}
