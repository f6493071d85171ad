#include "extents.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_ROOM 16

static int by_start(const void *a, const void *b)
{
	const struct extent *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/* Sorts the extents and joins those that meet. */
static void join_extents(struct extents *x)
{
	size_t last = 0;

	if (x->n < 2)
		return;
	qsort(x->v, x->n, sizeof(*x->v), by_start);
	for (size_t i = 1; i < x->n; i++) {
		if (x->v[i].from > x->v[last].to)
			x->v[++last] = x->v[i];
		else if (x->v[i].to > x->v[last].to)
			x->v[last].to = x->v[i].to;
	}
	x->n = last + 1;
}

static int grow_extents(struct extents *x, size_t *entries)
{
	size_t room = x->room ? 2 * x->room : FIRST_ROOM;
	struct extent *v;

	if (room - x->room > EXTENT_ENTRIES_MAX - *entries)
		return -E2BIG;
	v = realloc(x->v, room * sizeof(*v));
	if (!v)
		return -ENOMEM;
	*entries += room - x->room;
	x->v = v;
	x->room = room;
	return 0;
}

/* Joins before it grows: each time at least half of the room becomes free, so a sort is paid by as many
   I/Os as it sorts. */
static int make_room(struct extents *x, size_t *entries)
{
	join_extents(x);
	return x->n > x->room / 2 || !x->room ? grow_extents(x, entries) : 0;
}

int extents_add(struct extents *x, uint64_t offset, uint64_t length, size_t *entries)
{
	uint64_t from = offset - offset % EXTENT_BLOCK_BYTES;
	uint64_t to = (offset + length + EXTENT_BLOCK_BYTES - 1) / EXTENT_BLOCK_BYTES * EXTENT_BLOCK_BYTES;
	struct extent *last = x->n ? &x->v[x->n - 1] : NULL;
	int ret;

	if (last && from >= last->from && from <= last->to) {
		if (to > last->to)
			last->to = to;
		return 0;
	}
	ret = x->n == x->room ? make_room(x, entries) : 0;
	if (!ret)
		x->v[x->n++] = (struct extent){ from, to };
	return ret;
}

void extents_fini(struct extents *x)
{
	free(x->v);
	*x = (struct extents){ 0 };
}

int extents_compact(struct extents *x, struct compact_map *map, struct arena *a)
{
	struct compact_extent *v;
	uint64_t at = 0;

	join_extents(x);
	v = arena_array(a, x->n ? x->n : 1, sizeof(*v));
	if (!v)
		return -ENOMEM;
	for (size_t i = 0; i < x->n; i++) {
		v[i] = (struct compact_extent){ x->v[i].from, at };
		at += x->v[i].to - x->v[i].from;
	}
	*map = (struct compact_map){ v, x->n, at };
	return 0;
}

uint64_t compact_offset(const struct compact_map *map, uint64_t offset)
{
	size_t low = 0, high = map->n;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (map->v[middle].from <= offset)
			low = middle;
		else
			high = middle;
	}
	return map->v[low].at + (offset - map->v[low].from);
}
