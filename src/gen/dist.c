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

struct span {
	uint64_t lo, hi; /* [lo, hi) */
};

static struct span span_of(const struct dist_cfg *c, const struct dist_zones *z, unsigned zone,
			   uint64_t places, uint64_t align)
{
	bool last = zone + 1u == z->n && c->clip;

	return (struct span){ .lo = zone ? zone_boundary(c, z->zone[zone - 1].end, places, align) : 0,
			      .hi = last ? places : zone_boundary(c, z->zone[zone].end, places, align) };
}

/* Returns how many places a zone has. */
static uint64_t places_of(struct span s)
{
	return s.hi > s.lo ? s.hi - s.lo : 0;
}

uint64_t dist_zone_places(const struct dist_cfg *c, enum io_dir dir, unsigned zone, uint64_t places,
			  uint64_t align)
{
	return places_of(span_of(c, &c->dir[dir], zone, places, align));
}

unsigned dist_zone_drawn(const struct dist_cfg *c, enum io_dir dir, unsigned zone, uint64_t places,
			 uint64_t align)
{
	const struct dist_zones *z = &c->dir[dir];

	for (unsigned i = zone; i < z->n; i++)
		if (z->zone[i].access && places_of(span_of(c, z, i, places, align)))
			return i;
	for (unsigned i = zone; i--;)
		if (z->zone[i].access && places_of(span_of(c, z, i, places, align)))
			return i;
	return z->n;
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
	struct span s;
	unsigned zone;

	if (!z->n)
		return rng_below(r, places);
	zone = z->zone_of_percent[rng_below(r, accesses)];
	s = span_of(c, z, zone, places, align);
	if (s.hi <= s.lo) {
		zone = dist_zone_drawn(c, dir, zone, places, align);
		s = zone < z->n ? span_of(c, z, zone, places, align) : (struct span){ 0, places };
	}
	return s.lo + rng_below(r, s.hi - s.lo);
}
