#include "io.h"

#include <stdbool.h>
#include <stdint.h>

/* The range of an I/O in sectors, modulo 2^32: distant I/Os may look adjacent, but adjacent ones never look
   distant. */
struct sectors {
	uint32_t start, end;
};

static bool touches(const struct sectors *all, unsigned n, struct sectors s)
{
	unsigned any = 0;

	for (unsigned i = 0; i < n; i++)
		any |= (all[i].end == s.start) | (all[i].start == s.end);
	return any;
}

/* A Bloom filter of sectors: it may report a sector that was not put in, but never misses one that was. */
#define FILTER_SHIFT 9
struct filter {
	uint64_t word[(1u << FILTER_SHIFT) / 64];
};

static inline unsigned hash_sector(uint32_t sector)
{
	return sector * 2654435761u >> (32 - FILTER_SHIFT); /* 2^32 divided by the golden ratio */
}

static inline void add_to_filter(struct filter *f, unsigned hash)
{
	f->word[hash / 64] |= (uint64_t)1 << hash % 64;
}

/* Returns 1 or 0. */
static inline unsigned holds(const struct filter *f, unsigned hash)
{
	return (unsigned)(f->word[hash / 64] >> hash % 64) & 1;
}

/* Random I/Os are hardly ever adjacent. The filters save comparing each of them with all I/Os before it. */
unsigned plug_run(struct io *const *ios, unsigned n)
{
	struct filter starts = { 0 }, ends = { 0 };
	struct sectors all[PLUG_MAX];

	if (n <= PLUG_FREE)
		return n;
	if (n > PLUG_MAX)
		n = PLUG_MAX;
	for (unsigned i = 0; i < n; i++) {
		struct sectors s = { (uint32_t)(ios[i]->offset >> 9),
				     (uint32_t)((ios[i]->offset + ios[i]->len) >> 9) };
		unsigned start = hash_sector(s.start), end = hash_sector(s.end);

		if ((holds(&ends, start) | holds(&starts, end)) && touches(all, i, s))
			return i > PLUG_FREE ? i : PLUG_FREE;
		all[i] = s;
		add_to_filter(&starts, start);
		add_to_filter(&ends, end);
	}
	return n;
}
