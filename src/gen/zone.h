/* zone.h: how zonemode divides the range of a file into zones. */
#ifndef ZONE_H
#define ZONE_H

#include <stdbool.h>
#include <stdint.h>

enum zone_mode { ZONE_NONE, ZONE_STRIDED, ZONE_ZBD };

struct zone_cfg {
	enum zone_mode mode;
	uint64_t size;  /* ZONE_STRIDED: bytes that are moved before the next zone has its turn; ZONE_ZBD:
			   length of a zone */
	uint64_t range; /* ZONE_STRIDED: length of a zone */
	uint64_t skip;  /* bytes between two zones */
	/* ZONE_ZBD: */
	uint64_t capacity;        /* bytes of a zone that are written */
	uint32_t max_open;        /* zones that are neither empty nor full; 0: any number */
	uint32_t reset_threshold; /* in millionths */
	uint32_t reset_frequency; /* resets per write, in millionths */
	bool read_beyond_wp;
};

/* The zones of a range that take turns (ZONE_STRIDED). */
struct zone_turns {
	uint64_t start, len; /* the range, with all zones */
	uint64_t at;         /* start of the zone whose turn it is, relative to start */
	uint64_t left;       /* bytes that this turn has yet to move */
	uint64_t key, turn;  /* of this pass; turns so far */
	uint64_t pass_bytes, pass_left;
};

/* Returns how many zones a range has (ZONE_STRIDED). The last one may be cut short, but has room for an I/O
   of the largest size. */
static inline uint64_t zone_count(const struct zone_cfg *z, uint64_t len, uint32_t largest)
{
	uint64_t period = z->range + z->skip;

	return len / period + (len % period >= largest);
}

#endif
