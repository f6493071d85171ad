#include "skew.h"

#include <stdbool.h>
#include <stdlib.h>

#define FIRST_BUCKETS 16

struct skew_entry {
	const struct skew_cfg *cfg;
	struct skew_entry *next; /* of its bucket */
	struct skew skew;
};

void skew_table_init(struct skew_table *t, uint64_t hot_seed, unsigned batch)
{
	*t = (struct skew_table){ .hot_seed = hot_seed, .batch = batch };
}

void skew_table_fini(struct skew_table *t)
{
	for (size_t i = 0; i < t->nbuckets; i++)
		for (struct skew_entry *e = t->buckets[i], *next; e; e = next) {
			next = e->next;
			free(e);
		}
	free(t->buckets);
	t->buckets = NULL;
	t->nbuckets = t->n = 0;
}

static struct skew_entry **bucket_of(struct skew_entry **bucket, size_t buckets, uint64_t places)
{
	return &bucket[rng_mix64(places) & (buckets - 1)];
}

/* Doubles the number of buckets. Returns false if memory is short. */
static bool grow_table(struct skew_table *t)
{
	size_t buckets = t->nbuckets ? 2 * t->nbuckets : FIRST_BUCKETS;
	struct skew_entry **bucket = calloc(buckets, sizeof(*bucket));

	if (!bucket)
		return false;
	for (size_t i = 0; i < t->nbuckets; i++)
		for (struct skew_entry *e = t->buckets[i], *next; e; e = next) {
			struct skew_entry **to = bucket_of(bucket, buckets, e->skew.n);

			next = e->next;
			e->next = *to;
			*to = e;
		}
	free(t->buckets);
	t->buckets = bucket;
	t->nbuckets = buckets;
	return true;
}

const struct skew *skew_table_get(struct skew_table *t, const struct skew_cfg *cfg, uint64_t places)
{
	struct skew_entry *e, **to;

	if (t->n == t->nbuckets && !grow_table(t))
		return NULL;
	to = bucket_of(t->buckets, t->nbuckets, places);
	for (e = *to; e; e = e->next)
		if (e->cfg == cfg && e->skew.n == places)
			return &e->skew;
	e = malloc(sizeof(*e));
	if (!e)
		return NULL;
	e->cfg = cfg;
	e->next = *to;
	*to = e;
	t->n++;
	skew_init(&e->skew, cfg, places);
	skew_scatter(&e->skew, cfg, t->hot_seed);
	e->skew.batch = t->batch;
	return &e->skew;
}
