#include "zone_table.h"

size_t zone_table_bytes(uint64_t zones)
{
	return sizeof(struct zone_table) + (size_t)zones * (sizeof(struct zone) + sizeof(uint32_t));
}

void zone_table_init(struct zone_table *t, uint32_t zones, uint64_t size, uint64_t capacity, bool device)
{
	t->zones = zones;
	t->size = size;
	t->capacity = capacity;
	t->device = device;
}

void zone_table_open_zone(struct zone_table *t, uint32_t i, uint32_t by)
{
	struct zone *z = zone_table_zone(t, i);

	if (z->open)
		return;
	zone_table_open(t)[t->nopen++] = i;
	z->open = t->nopen;
	z->opener = by;
}

/* Each zone knows whether it is open. */
void zone_table_mend(struct zone_table *t)
{
	t->nopen = 0;
	for (uint32_t i = 0; i < t->zones; i++) {
		struct zone *z = zone_table_zone(t, i);

		if (!z->open)
			continue;
		zone_table_open(t)[t->nopen++] = i;
		z->open = t->nopen;
	}
}

static void close_zone(struct zone_table *t, struct zone *z)
{
	uint32_t *list = zone_table_open(t), last = list[t->nopen - 1];

	list[z->open - 1] = last;
	zone_table_zone(t, last)->open = z->open;
	z->open = 0;
	t->nopen--;
}

void zone_table_move(struct zone_table *t, uint32_t i, uint64_t wp, uint64_t least, uint32_t by)
{
	struct zone *z = zone_table_zone(t, i);
	uint64_t capacity = zone_table_capacity(t, i);
	bool full = wp >= capacity || capacity - wp < least;

	__atomic_store_n(&z->wp, wp, __ATOMIC_RELAXED);
	if (!wp)
		__atomic_store_n(&z->shared, false, __ATOMIC_RELAXED);
	if (z->open && (!wp || full))
		close_zone(t, z);
	else if (wp && !full && !z->state)
		zone_table_open_zone(t, i, by);
}

void zone_table_retire(struct zone_table *t, uint32_t i, enum zoned_state state)
{
	struct zone *z = zone_table_zone(t, i);

	__atomic_store_n(&z->state, state, __ATOMIC_RELAXED);
	if (z->open)
		close_zone(t, z);
}

void zone_table_set(struct zone_table *t, uint32_t i, const struct zone *as)
{
	struct zone *z = zone_table_zone(t, i);

	z->capacity = as->capacity;
	z->conventional = as->conventional;
	z->state = as->state;
	if (!z->conventional)
		zone_table_move(t, i, as->wp, 1, 0);
}
