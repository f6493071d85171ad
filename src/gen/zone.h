/* zone.h: how zonemode divides the range of a file into zones. */
#ifndef ZONE_H
#define ZONE_H

#include <stdint.h>

enum zone_mode { ZONE_NONE, ZONE_STRIDED };

struct zone_cfg {
	enum zone_mode mode;
	uint64_t size;  /* ZONE_STRIDED: bytes that are moved before the next zone has its turn */
	uint64_t range; /* ZONE_STRIDED: length of a zone */
	uint64_t skip;  /* bytes between two zones */
};

/* The zones of a range that take turns (ZONE_STRIDED). */
struct zone_turns {
	uint64_t start, len; /* the range, with all zones */
	uint64_t at;         /* where the zone begins whose turn it is, relative to start */
	uint64_t left;       /* bytes that its turn still moves */
	uint64_t key, turn;  /* of this pass; turns so far */
	uint64_t pass_bytes, pass_left;
};

/* Returns how many zones a range has (ZONE_STRIDED). The last one may be cut short, but holds an I/O of every
   size; largest: the largest size. */
static inline uint64_t zone_count(const struct zone_cfg *z, uint64_t len, uint32_t largest)
{
	uint64_t period = z->range + z->skip;

	return len / period + (len % period >= largest);
}

#endif
