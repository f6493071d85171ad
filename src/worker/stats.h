/* stats.h: the statistics of the worker's I/Os. They are in the slot. I/Os outside the measured window are
   counted elsewhere (window.c). */
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
	void *files; /* file_stats.h, in the slot; NULL: these I/Os are not counted by file */
	bool simple; /* no rate, no count of I/Os in flight, and this thread takes all time stamps */
	uint64_t start_divided_us;   /* divided helper time, until the measured phase began */
	uint64_t start_core_wait_ns; /* time ready to run without a core, until the measured phase began */
};

#endif
