/* stats.h: where the worker counts its I/Os. The memory is in the slot, but for I/Os that do not count
 * (window.c). */
#ifndef STATS_H
#define STATS_H

#include <stdbool.h>
#include <stdint.h>
#include "track.h"
#include "wstat.h"

struct stats {
	struct wstat *st;
	struct wcount *cnt;
	struct tracks *tracks;
	bool simple;        /* no rate, no count of I/Os in flight, and all stamps are this thread's */
	uint64_t waited_ns; /* for a core, until the measured phase began */
};

#endif
