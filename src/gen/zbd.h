/* zbd.h: the write pointers of zones (zonemode=zbd). Private to gen/; others call offset_set_zones.

   The range consists of whole zones, each with a write pointer, and all of them are empty at first. The order
   of the generator only chooses zones: a random write goes to the write pointer of the zone in which its
   place lies. Sequential writes fill zone after zone, with zone.skip bytes between them, and go on with the
   first after the last. A write to a full zone resets it, so that it begins at the start of the zone again.

   At most zone.max_open zones are open, that is, neither empty nor full. While so many are open, a write that
   would open another zone goes to one of the open zones. Once more than zone.reset_threshold of all bytes are
   written, each write adds zone.reset_frequency to a sum. The write with which the sum reaches 1 resets its
   zone, and the sum falls by 1.

   Reads go anywhere (read_beyond_wp). Sequential reads leave out zone.skip bytes, as sequential writes do. */
#ifndef ZBD_H
#define ZBD_H

#include "offset.h"

struct zbd {
	uint64_t zones, cursor; /* cursor: the zone that sequential writes fill */
	uint64_t written;       /* bytes below all write pointers */
	uint64_t reset_sum;     /* in millionths */
	uint64_t pass_bytes, pass_left;
	uint32_t nopen;
	uint32_t *open;          /* zone.max_open entries */
	uint64_t *wp;            /* of each zone, relative to its start */
	uint64_t *const *resets; /* offset_count_zone_resets */
};

/* Begins a pass; the write pointers stay. key: of the random order. */
void zbd_begin(struct offset_gen *g, uint64_t key);
bool zbd_next(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len);

#endif
