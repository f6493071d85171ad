/* extents.h: the parts of a device that a trace touches, in whole blocks of 4096 bytes, and where each lies
   if the gaps between them are left out. Costs 16 bytes for each extent. */
#ifndef EXTENTS_H
#define EXTENTS_H

#include <stddef.h>
#include <stdint.h>
#include "arena.h"

#define EXTENT_BLOCK_BYTES 4096
/* Entries that all devices of a trace may need: 32 MiB, and as much again while they are sorted. */
#define EXTENT_ENTRIES_MAX ((size_t)2 << 20)

struct extent {
	uint64_t from, to; /* bytes */
};

struct extents {
	struct extent *v;
	size_t n, room;
};

/* Adds the bytes of an I/O. *entries: how many entries are in use for all devices. Returns 0, -ENOMEM, or
   -E2BIG: the extents need more than EXTENT_ENTRIES_MAX entries. */
int extents_add(struct extents *x, uint64_t offset, uint64_t length, size_t *entries);
void extents_fini(struct extents *x);

/* The extents of a device, one behind the other. */
struct compact_map {
	const struct compact_extent {
		uint64_t from; /* the byte of the device */
		uint64_t at;   /* where it is if the gaps are left out */
	} * v;
	size_t n;
	uint64_t bytes; /* of all extents */
};

/* Returns 0 or -ENOMEM. The arena owns the result. */
int extents_compact(struct extents *x, struct compact_map *map, struct arena *a);
/* Returns where a byte is that an I/O of the trace touched. */
uint64_t compact_offset(const struct compact_map *map, uint64_t offset);

#endif
