/* interval.h: what a worker did in each interval of equal length since its phase began, as a ring in the
   shared region: the worker closes intervals, one reader takes them. Records hold the differences of the
   worker's cumulative counts. When the ring is full the worker folds what follows into one record, marked
   with its span, and shows it as soon as there is room; it never waits. A time without I/O is a record of
   zeros, however long.

   And samples: minimum, maximum, mean and deviation of a rate over many intervals (fio's bw and iops rows).
 */
#ifndef INTERVAL_H
#define INTERVAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "wstat.h"

#define SAMPLE_ROWS (DIR_DATA + 1) /* a rate is sampled in each direction, then in all together */

#define IVAL_RING 64 /* records; a power of two */

struct ival_rec {
	uint64_t first;   /* index of the first interval it covers, from 0 at the start of the phase */
	uint64_t span;    /* how many intervals it covers, normally 1; 0: the partial one at the end */
	uint64_t part_ns; /* length of a partial record, 0 for whole intervals */
	uint64_t ios[DIR_COUNT], bytes[DIR_COUNT], errors[DIR_COUNT];
};

struct ival_ring {
	uint64_t len_ns;   /* 0: nobody wants intervals */
	uint64_t start_ns; /* clock_ns() of the start of the phase */
	uint64_t end_ns; /* of the open interval; the worker compares each batch's stamp with it. Never comes
			    without intervals and after the end */
	uint64_t index;  /* of the open interval */
	struct ival_rec last;        /* cumulative counts at the last close; first: the interval after it */
	bool held;                   /* rec[head] is closed, but not shown yet for want of room */
	_Atomic uint64_t head, tail; /* head: written by the worker; tail: by the reader */
	struct ival_rec rec[IVAL_RING];
};

/* A phase begins. Empties the ring: not while a reader may be taking. */
void ival_start(struct ival_ring *r, uint64_t len_ns, uint64_t start_ns);
/* Closes every interval that ended by `now_ns`, given the cumulative counts so far (those of `now_ns`'s batch
   not yet added). Call when now_ns >= r->end_ns. */
void ival_close(struct ival_ring *r, const struct wstat *total, uint64_t now_ns);
/* The worker has ended: closes the intervals that are complete, then the open one as a record whose span is 0
   and whose length is part_ns (none if it had neither time nor I/O). */
void ival_finish(struct ival_ring *r, const struct wstat *total, uint64_t now_ns);
/* Takes the oldest closed record; false if there is none. */
bool ival_take(struct ival_ring *r, struct ival_rec *out);

/* One rate, sampled: integers KiB/s or I/Os per s. Zeroed: empty. */
struct samples {
	uint64_t n, min, max;
	double sum, sq;
};
void samples_add(struct samples *s, uint64_t value);
void samples_add_n(struct samples *s, uint64_t value, uint64_t count);
double samples_mean(const struct samples *s);
double samples_stddev(const struct samples *s); /* n - 1 */

#endif
