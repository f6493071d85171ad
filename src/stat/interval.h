/* interval.h: a compact record of the I/O of one worker in an interval of time. A direction without I/O takes
   no bytes, and histograms are sparse. Tracks write records, series store them, and logs and samples are
   computed from them.

   A record is written piece by piece (struct ival_out) and read as a struct ival, whose bins point into the
   record. */
#ifndef INTERVAL_H
#define INTERVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "wstat.h"

/* Latencies of one kind. */
struct ival_lat {
	uint64_t n, sum, min, max;
	const unsigned char *bins; /* for ival_bins; NULL: no histogram */
};

struct ival_dir {
	uint64_t ios, bytes, errors;
	uint64_t unfinished; /* as in wstat_dir: of the interval in which the measurement ended */
	struct ival_lat lat[LAT_KINDS];
};

struct ival {
	uint64_t first;     /* index of the first interval it covers, from 0 at the start of the phase */
	uint64_t intervals; /* how many it covers, normally 1; 0: the partial one at the end */
	uint64_t part_ns;   /* length of a partial record, 0 for whole intervals */
	struct ival_dir dir[DIR_COUNT];
};

/* An iterator over the buckets of a histogram that are not empty, in ascending order. ival_bin returns false
   after the last bucket. */
struct ival_bins {
	const unsigned char *at;
	unsigned next;
};
static inline struct ival_bins ival_bins(const struct ival_lat *l)
{
	return (struct ival_bins){ l->bins, 0 };
}
bool ival_bin(struct ival_bins *b, unsigned *bucket, uint64_t *count);

/* Adds all buckets to a histogram. */
void ival_add_bins(const struct ival_lat *l, struct hist *h);

/* The largest size of a record with `lats` latencies, of which `hists` have a histogram. */
#define IVAL_BYTES(lats, hists) (40 + DIR_COUNT * 44 + (lats)*48 + (hists) * ((size_t)HIST_BUCKETS * 6 + 8))

/* A writer of one record into memory of fixed size. The order of calls is: a direction, each of its latencies
   with its bins, then the next direction. */
struct ival_out {
	unsigned char *at, *end;
	bool full; /* the record did not fit and is not valid */
	bool in_bins;
	unsigned next; /* bucket */
};
void ival_begin(struct ival_out *o, void *to, size_t bytes, const struct ival *head);
/* These write only the counts of d and l, not d->lat and l->bins. */
void ival_put_dir(struct ival_out *o, unsigned dir, const struct ival_dir *d);
void ival_put_lat(struct ival_out *o, unsigned kind, const struct ival_lat *l);
void ival_put_bin(struct ival_out *o, unsigned bucket, uint64_t count);
/* Returns the length of the record in bytes; 0 if it did not fit. */
size_t ival_end(struct ival_out *o, const void *to);

/* Returns false if the bytes are not a valid record. */
bool ival_read(struct ival *v, const void *from, size_t bytes);

#endif
