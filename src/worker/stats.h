/* stats.h: the statistics of the worker's I/Os. They are in the slot. I/Os outside the measured window are
   counted elsewhere (window.c). */
#ifndef STATS_H
#define STATS_H

#include <stdbool.h>
#include <stdint.h>
#include "placement.h"
#include "prio.h"
#include "track.h"
#include "wstat.h"

struct log_ring;
struct region_placement;

struct stats {
	struct wstat *st;
	struct wcount *cnt;
	struct tracks *tracks;
	void *files; /* file_stats.h, in the slot; NULL: these I/Os are not counted by file */
	bool simple; /* no rate, no count of I/Os in flight, and this thread takes all time stamps */
	uint64_t start_divided_us;   /* divided helper time, until the measured phase began */
	uint64_t start_core_wait_ns; /* time ready to run without a core, until the measured phase began */
};

/* Counts and logs of single I/Os that only some jobs have, beside the statistics of all jobs. */
struct observers {
	bool active; /* at least one observer or a window edge is active: each batch costs more */
	bool max_latency;
	struct prio_gen prio;            /* prio.set is NULL: all I/Os have the worker's priority */
	struct placement_gen placement;  /* placement.set is NULL: the devices decide */
	struct region_placement *placed; /* in the slot: counts of their writes */
	void *steps;                     /* step_counts.h, in the slot; NULL: no steps of a rate */
	void *per_file;                  /* per_file.h, in the slot; NULL: no counts by file or time */
	void *file_stats;                /* file_stats.h, in the slot; NULL: none */
	bool by_file;                    /* one of these two is not NULL */
	uint64_t counted_waits;          /* eng.waits that per_file_account has counted */
	bool before_submit; /* something precedes each batch: priorities, placement, or the state of verified
			       writes */
	bool after_batch;   /* something follows each batch: a log, or verification */
	struct log_ring *log; /* log of single I/Os; NULL: none */
	uint64_t log_head;
};

/* Temporary errors: the time since which no I/O has completed, and the number of I/Os before it. */
struct io_retry {
	uint64_t since_ns, ios;
};

#endif
