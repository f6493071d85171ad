#include "cpuorder.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct order {
	bool cores;       /* one thread of each core before the second threads */
	bool alternate;   /* change to the next group after each CPU */
	bool speed_first; /* sort by speed before group */
	bool slow_first;
	bool ignore_speed;
	unsigned slowest; /* class */
};

static unsigned speed_rank(const struct order *o, const struct cpu_place *p)
{
	return o->ignore_speed ? 0 : o->slow_first ? o->slowest - p->class : p->class;
}

/* Packs the sort keys into one number, the most important key first. */
static uint64_t pack(unsigned kind, unsigned a, unsigned b, unsigned c)
{
	return (uint64_t)kind << 48 | (uint64_t)(a & 65535) << 32 | (uint64_t)(b & 65535) << 16 | (c & 65535);
}

/* Returns the key of the CPUs that stay together: the group, after the speed if all groups are sorted by
   speed. */
static uint64_t group_key(const struct order *o, const struct cpu_place *p)
{
	return pack(o->speed_first ? speed_rank(o, p) : 0, p->cpu / CPUORDER_GROUP, 0, 0);
}

/* Returns the key within those CPUs. */
static uint64_t place_key(const struct order *o, const struct cpu_place *p)
{
	return pack(0, o->cores ? p->thread : 0, o->speed_first ? 0 : speed_rank(o, p), p->cpu);
}

struct keyed {
	uint64_t outer, inner;
	struct cpu_place place;
};

static int by_keys(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->outer != y->outer)
		return x->outer < y->outer ? -1 : 1;
	return x->inner < y->inner ? -1 : x->inner > y->inner;
}

/* Takes the first CPU of each group, then the second CPU of each, and so on. */
static void deal(struct keyed *v, size_t n)
{
	unsigned at = 0;

	for (size_t i = 0, k; i < n; i = k) {
		uint64_t outer = v[i].outer;

		for (k = i, at = 0; k < n && v[k].outer == outer; k++) {
			v[k].outer = pack((unsigned)(outer >> 48), at++, 0, 0);
			v[k].inner = outer;
		}
	}
	qsort(v, n, sizeof(*v), by_keys);
}

bool cpuorder_sort(struct cpu_place *v, size_t n, const char *letters)
{
	struct order o = { .cores = strchr(letters, 'c'),
			   .alternate = strchr(letters, 's'),
			   .speed_first = strpbrk(letters, "PE"),
			   .slow_first = strpbrk(letters, "eE"),
			   .ignore_speed = strchr(letters, 'u') };
	struct keyed *k = calloc(n + 1, sizeof(*k));

	if (!k)
		return false;
	for (size_t i = 0; i < n; i++)
		o.slowest = v[i].class > o.slowest ? v[i].class : o.slowest;
	for (size_t i = 0; i < n; i++)
		k[i] = (struct keyed){ group_key(&o, &v[i]), place_key(&o, &v[i]), v[i] };
	qsort(k, n, sizeof(*k), by_keys);
	if (o.alternate)
		deal(k, n);
	for (size_t i = 0; i < n; i++)
		v[i] = k[i].place;
	free(k);
	return true;
}
