/* rate_min.h: checks the minimum rates of a job (rate_min, rate_iops_min) in each cycle. Pure. */
#ifndef RATE_MIN_H
#define RATE_MIN_H

#include <stdbool.h>
#include <stdint.h>
#include "dir.h"

/* As in fio a job is not checked for this long after it starts. */
#define RATE_MIN_SETTLE_NS 2000000000u

struct rate_min_cfg {
	uint64_t rate[DIR_DATA]; /* bytes per second; 0: none */
	uint32_t iops[DIR_DATA];
	uint32_t cycle_ms;
};

/* Checks the rates of one worker. Times are in ns since the start of the phase. */
struct rate_min {
	uint64_t from_ns, until_ns; /* the present cycle; from_ns is UINT64_MAX before the first one */
	uint64_t bytes[DIR_DATA], ios[DIR_DATA]; /* totals at its beginning */
};

struct rate_min_miss {
	enum io_dir dir;
	bool iops;                  /* rate_iops_min, not rate_min */
	uint64_t required, reached; /* per second: required, reached */
	uint64_t from_ns, to_ns;
};

bool rate_min_wanted(const struct rate_min_cfg *c);
void rate_min_start(struct rate_min *f);
/* Call when now_ns >= f->until_ns, with the totals of the phase so far. Returns false and fills *miss if
   the cycle that ends now was too slow. */
bool rate_min_check(struct rate_min *f, const struct rate_min_cfg *c, uint64_t now_ns,
		    const uint64_t bytes[DIR_DATA], const uint64_t ios[DIR_DATA], struct rate_min_miss *miss);

#endif
