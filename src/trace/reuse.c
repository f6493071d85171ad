#include "reuse.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void reuse_init(struct reuse *r)
{
	hist_init(&r->distance);
}

static void mark(struct reuse *r, uint32_t time, bool on)
{
	for (uint32_t i = time + 1; i <= REUSE_TIMES; i += i & -i)
		r->marked[i] += on ? 1 : UINT32_MAX;
}

/* Returns how many of the times before this one are marked. */
static uint32_t marked_before(const struct reuse *r, uint32_t time)
{
	uint32_t n = 0;

	for (uint32_t i = time; i; i -= i & -i)
		n += r->marked[i];
	return n;
}

static bool is_followed(const struct reuse *r, uint64_t hash)
{
	return !r->halvings || hash << (64 - r->halvings) == 0;
}

/* Returns the slot of the block, or the free one where it belongs. */
static struct reuse_block *find(struct reuse *r, uint64_t hash)
{
	uint32_t i = (uint32_t)(hash >> 40) % REUSE_SLOTS;

	while (r->slot[i].last && r->slot[i].hash != hash)
		i = (i + 1) % REUSE_SLOTS;
	return &r->slot[i];
}

static int by_last(const void *a, const void *b)
{
	const struct reuse_block *x = a, *y = b;

	return x->last < y->last ? -1 : x->last > y->last;
}

/* Forgets the blocks that are not followed any more, and numbers the last accesses of the others from 0. */
static void renumber(struct reuse *r)
{
	struct reuse_block *sorted = r->sorted;
	uint32_t n = 0;

	for (uint32_t i = 0; i < REUSE_SLOTS; i++)
		if (r->slot[i].last && is_followed(r, r->slot[i].hash))
			sorted[n++] = r->slot[i];
	qsort(sorted, n, sizeof(*sorted), by_last);
	memset(r->slot, 0, sizeof(r->slot));
	memset(r->marked, 0, sizeof(r->marked));
	for (r->now = 0; r->now < n; r->now++) {
		sorted[r->now].last = r->now + 1;
		*find(r, sorted[r->now].hash) = sorted[r->now];
		mark(r, r->now, true);
	}
	r->blocks = n;
}

static void add_distance(struct reuse *r, uint32_t last)
{
	uint64_t distance = (uint64_t)(r->blocks - marked_before(r, last + 1)) << r->halvings;

	r->again += (uint64_t)1 << r->halvings;
	hist_add_bucket(&r->distance, hist_index(distance + 1), (uint64_t)1 << r->halvings);
	r->longest = distance > r->longest ? distance : r->longest;
}

void reuse_add(struct reuse *r, uint64_t hash)
{
	struct reuse_block *b;

	if (!is_followed(r, hash))
		return;
	if (r->now == REUSE_TIMES)
		renumber(r);
	while (r->blocks == REUSE_BLOCKS_MAX) {
		r->halvings++;
		renumber(r);
	}
	if (!is_followed(r, hash))
		return;
	r->accesses += (uint64_t)1 << r->halvings;
	b = find(r, hash);
	if (b->last) {
		add_distance(r, b->last - 1);
		mark(r, b->last - 1, false);
	} else {
		r->blocks++;
	}
	mark(r, r->now, true);
	*b = (struct reuse_block){ hash, ++r->now };
}

uint64_t reuse_percentile(const struct reuse *r, double percent)
{
	return hist_percentile(&r->distance, hist_total(&r->distance), percent, 1, r->longest + 1);
}

uint64_t reuse_served(const struct reuse *r, uint64_t blocks)
{
	unsigned last = hist_index(blocks);
	uint64_t served = 0;

	for (unsigned i = r->distance.lo; i <= r->distance.hi && i <= last; i++)
		served += r->distance.n[i];
	return served;
}
