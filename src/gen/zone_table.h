/* zone_table.h: the zones of one target with their write pointers, in memory that all workers of the target
   share.

   A zone that is neither empty nor full is open. The table lists the open zones, so that no more become open
   than the device or the job allows.

   Zones of a device: at most one write or reset of a zone is in flight. Its worker owns the zone meanwhile,
   and the write pointer moves when the write has completed. So the device gets the writes of a zone in order,
   whatever interface, depth or scheduler there is. If the writes are zone appends, whose places the device
   chooses, their worker may have several in flight. Emulated zones need no order: their write pointer moves
   when the write is drawn.

   A worker that fills a zone alone owns it for a row of writes, of a device or emulated (zbd_row). It moves
   the write pointer without the lock. */
#ifndef ZONE_TABLE_H
#define ZONE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "thread_lock.h"

/* A zone that is read-only or offline takes no writes and no resets; an offline one cannot be read either. */
enum zoned_state { ZONED_NORMAL, ZONED_READ_ONLY, ZONED_OFFLINE };

struct zone {
	uint64_t wp;       /* bytes from the start of the zone to its write pointer */
	uint64_t capacity; /* of a zone of a device: bytes that can be written */
	uint32_t owner; /* ID of the thread that has a row of writes here or, on a device, a write or reset in
			   flight; 0: none */
	uint64_t appending; /* bytes of the appends in flight */
	uint32_t appends;   /* in flight */
	uint32_t opener;    /* ID of the thread that opened the zone */
	uint32_t open;      /* 1 + place in the list of open zones; 0: not open */
	enum zoned_state state;
	bool conventional;  /* the zone has no write pointer */
	bool append_failed; /* an append has failed since the zone last had none in flight */
	bool shared;        /* a worker met another owner since the zone was last empty: no more rows */
};

struct zone_table {
	thread_lock lock; /* of the users, the list and the zones; the rest does not change */
	bool device;      /* the zones are those of a device, not emulated */
	uint32_t users;   /* workers that use the zones of a device now, and those that died */
	uint32_t zones;
	uint32_t nopen;          /* length of the list of open zones */
	uint64_t size, capacity; /* bytes of a zone; capacity: of emulated ones */
};

/* The zones and the list follow the table in memory. Reads look at write pointers without the lock, and rows
   at `shared`, so these are set atomically. */
static inline struct zone *zone_table_zone(struct zone_table *t, uint64_t i)
{
	return (struct zone *)(void *)(t + 1) + i;
}

static inline uint64_t zone_pointer(const struct zone *z)
{
	return __atomic_load_n(&z->wp, __ATOMIC_RELAXED);
}

/* The list of open zones. */
static inline uint32_t *zone_table_open(struct zone_table *t)
{
	return (uint32_t *)(void *)zone_table_zone(t, t->zones);
}

static inline uint64_t zone_table_capacity(struct zone_table *t, uint64_t i)
{
	return t->device ? zone_table_zone(t, i)->capacity : t->capacity;
}

/* Makes the list of open zones whole after a thread died while it changed it. The caller holds the lock. */
void zone_table_mend(struct zone_table *t);

/* me: the ID of the calling thread. */
static inline void zone_table_lock(struct zone_table *t, uint32_t me)
{
	if (!thread_lock_take(&t->lock, me))
		zone_table_mend(t);
}

static inline void zone_table_unlock(struct zone_table *t)
{
	thread_lock_release(&t->lock);
}

/* Returns the size of a table of so many zones. */
size_t zone_table_bytes(uint64_t zones);
/* Sets up a table in zeroed memory: of empty zones, or for a device of zones that zone_table_set describes.
 */
void zone_table_init(struct zone_table *t, uint32_t zones, uint64_t size, uint64_t capacity, bool device);
/* Sets a zone of a device as the device describes it. The caller holds the lock, or is alone. */
void zone_table_set(struct zone_table *t, uint32_t i, const struct zone *as);
/* Moves the write pointer of a zone, which may open or close it. least: a zone with less room, in bytes, is
   full. by: ID of the thread that writes. The caller holds the lock. */
void zone_table_move(struct zone_table *t, uint32_t i, uint64_t wp, uint64_t least, uint32_t by);
/* Records that the zone takes no writes any more, and counts it as not open. Its write pointer stays. The
   caller holds the lock. */
void zone_table_retire(struct zone_table *t, uint32_t i, enum zoned_state state);
/* Counts a zone as open. The caller holds the lock. */
void zone_table_open_zone(struct zone_table *t, uint32_t i, uint32_t by);

#endif
