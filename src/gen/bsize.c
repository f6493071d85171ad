#include "bsize.h"

#include "scale.h"

struct size_range {
	uint64_t lo, hi;
};

static void range_add(struct size_range *s, uint64_t lo, uint64_t hi)
{
	s->lo = lo < s->lo ? lo : s->lo;
	s->hi = hi > s->hi ? hi : s->hi;
}

/* Adds the sizes of a list. Those with a share of 0 % are never drawn. */
static void add_split(struct size_range *s, const struct bssplit_entry *e, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (e[i].percent > 0)
			range_add(s, e[i].bytes, e[i].bytes);
}

static struct size_range sizes_of(const struct bsize_cfg *c, unsigned entries)
{
	struct size_range s = { UINT64_MAX, 0 };

	for (unsigned d = 0; d < DIR_DATA; d++) {
		if (!(entries & 1u << d))
			continue;
		if (c->split_n[d])
			add_split(&s, c->split[d], c->split_n[d]);
		else
			range_add(&s, c->lo[d], c->hi[d]);
	}
	return s.lo <= s.hi ? s : (struct size_range){ 0, 0 };
}

uint32_t bsize_min(const struct bsize_cfg *c, unsigned dirs)
{
	return (uint32_t)sizes_of(c, bsize_entries(c, dirs)).lo;
}

uint32_t bsize_max(const struct bsize_cfg *c, unsigned dirs)
{
	return (uint32_t)sizes_of(c, bsize_entries(c, dirs)).hi;
}

uint32_t bsize_entry_min(const struct bsize_cfg *c, unsigned entry)
{
	return (uint32_t)sizes_of(c, 1u << entry).lo;
}

uint32_t bsize_entry_fixed(const struct bsize_cfg *c, unsigned entry)
{
	struct size_range s = sizes_of(c, 1u << entry);

	return s.lo == s.hi ? (uint32_t)s.lo : 0;
}

uint32_t bsize_least_range(const struct bsize_cfg *c, unsigned dirs)
{
	uint32_t sequential, random;

	if (!c->by_order)
		return bsize_min(c, dirs);
	sequential = bsize_entry_min(c, BSIZE_SEQUENTIAL);
	random = bsize_entry_min(c, BSIZE_RANDOM);
	return sequential > random ? sequential : random;
}

uint32_t bsize_divisor(const struct bsize_cfg *c, unsigned dirs)
{
	unsigned entries = bsize_entries(c, dirs);
	uint64_t v = 0;

	for (unsigned d = 0; d < DIR_DATA; d++) {
		if (!(entries & 1u << d))
			continue;
		for (unsigned i = 0; i < c->split_n[d]; i++)
			v = c->split[d][i].percent > 0 ? common_divisor(v, c->split[d][i].bytes) : v;
		if (!c->split_n[d])
			v = common_divisor(common_divisor(v, c->lo[d]), c->hi[d]);
		if (!c->split_n[d] && c->lo[d] != c->hi[d] && c->unaligned)
			v = 1;
	}
	return (uint32_t)v;
}

bool bsize_fixed(const struct bsize_cfg *c, unsigned dirs)
{
	struct size_range s = sizes_of(c, bsize_entries(c, dirs));

	return s.lo == s.hi;
}

struct share_list {
	struct bsize_share *at;
	unsigned n, max;
};

/* Inserts the size in order; returns false if the list is full. */
static bool list_add(struct share_list *l, uint32_t bytes, double percent, unsigned dir)
{
	unsigned i = 0;

	if (percent <= 0)
		return true;
	while (i < l->n && l->at[i].bytes < bytes)
		i++;
	if (i == l->n || l->at[i].bytes != bytes) {
		if (l->n == l->max)
			return false;
		for (unsigned k = l->n++; k > i; k--)
			l->at[k] = l->at[k - 1];
		l->at[i] = (struct bsize_share){ .bytes = bytes };
	}
	l->at[i].percent += percent;
	l->at[i].dirs |= 1u << dir;
	return true;
}

static bool list_dir(struct share_list *l, const struct bsize_cfg *c, unsigned dir)
{
	bool fits = true;

	if (c->split_n[dir] == 0)
		return c->lo[dir] == c->hi[dir] && list_add(l, (uint32_t)c->lo[dir], 100, dir);
	for (unsigned i = 0; i < c->split_n[dir] && fits; i++)
		fits = list_add(l, c->split[dir][i].bytes, c->split[dir][i].percent, dir);
	return fits;
}

unsigned bsize_list(const struct bsize_cfg *c, unsigned dirs, struct bsize_share *list, unsigned max)
{
	struct share_list l = { .at = list, .max = max };
	unsigned entries = bsize_entries(c, dirs);

	for (unsigned d = 0; d < DIR_DATA; d++)
		if (entries & 1u << d && !list_dir(&l, c, d))
			return 0;
	return l.n;
}

static uint32_t draw_split(const struct bssplit_entry *e, unsigned n, struct rng *r)
{
	double left = 100 * rng_double(r);
	unsigned i = 0;

	while (i + 1 < n && left >= e[i].percent)
		left -= e[i++].percent;
	return e[i].bytes;
}

uint32_t bsize_draw(const struct bsize_cfg *c, unsigned entry, struct rng *r)
{
	uint64_t lo = c->lo[entry], hi = c->hi[entry], bytes;

	if (c->split_n[entry])
		return draw_split(c->split[entry], c->split_n[entry], r);
	if (lo == hi)
		return (uint32_t)lo;
	if (c->unaligned)
		return (uint32_t)(lo + rng_below(r, hi - lo + 1));
	bytes = lo * (1 + rng_below(r, (hi + lo - 1) / lo));
	return (uint32_t)(bytes < hi ? bytes : hi);
}
