/* observers.h: counts and logs of single I/Os that only some jobs have, beside the statistics of all jobs. */
#ifndef OBSERVERS_H
#define OBSERVERS_H

#include <stdbool.h>
#include <stdint.h>
#include "prio.h"

struct log_ring;

struct observers {
	bool active; /* at least one observer or a window edge is active: each batch costs more */
	bool max_latency;
	struct prio_gen prio;   /* prio.set is NULL: all I/Os have the worker's priority */
	void *steps;            /* step_counts.h, in the slot; NULL: no steps of a rate */
	void *per_file;         /* per_file.h, in the slot; NULL: no counts by file or time */
	void *file_stats;       /* file_stats.h, in the slot; NULL: none */
	bool by_file;           /* one of these two is not NULL */
	uint64_t counted_waits; /* eng.waits that per_file_account has counted */
	bool before_submit;   /* something precedes each batch: priorities, or the state of verified writes */
	bool after_batch;     /* something follows each batch: a log, or verification */
	struct log_ring *log; /* log of single I/Os; NULL: none */
	uint64_t log_head;
};

#endif
