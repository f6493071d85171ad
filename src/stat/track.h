/* track.h: the tracks of a worker. A track divides the phase into intervals of its own length. When an
   interval ends, the worker writes a record of it (interval.h) to the track's ring, and one reader empties
   the ring. Tracks are plain shared memory: they hold no pointers and have one writer and one reader. An I/O
   pays nothing for tracks: a record is the difference between the worker's cumulative counts and a copy of
   them from the last record.

   The worker never waits for a full ring: the track goes on, and the next record that fits covers several
   intervals. A period without I/O is one record of zeros, however long it is.

   Extremes: min and max in the worker's wstat cover only the time since the tracks last read them. At each
   close the tracks merge them into the open interval of every track and into those of the whole phase, and
   reset them. A caller that copies a wstat must call tracks_extremes to complete the copy. */
#ifndef TRACK_H
#define TRACK_H

#include <stdatomic.h>
#include "interval.h"

#define TRACKS_MAX 7

/* The tracks that the plan asks for. */
struct track_cfg {
	uint64_t len_ns;
	uint8_t moments, hists; /* bits of enum lat_kind: what records hold besides counts, where measured */
	bool on_grid; /* the intervals end at multiples of len_ns after tracks.grid_ns; the first is shorter
		       */
};
struct tracks_cfg {
	unsigned n;
	struct track_cfg track[TRACKS_MAX];
};
/* Finds or adds the track of this length, adds these contents to it, and returns its number. A plan uses at
   most TRACKS_MAX lengths. */
unsigned tracks_want(struct tracks_cfg *c, uint64_t len_ns, unsigned moments, unsigned hists);
/* The same for a track whose intervals end at the same times as those of other workers. */
unsigned tracks_want_on_grid(struct tracks_cfg *c, uint64_t len_ns, unsigned moments, unsigned hists);

struct track_extremes {
	uint64_t min[DIR_COUNT][LAT_KINDS], max[DIR_COUNT][LAT_KINDS];
};

struct track {
	struct track_cfg cfg;
	uint64_t end_ns; /* of the open interval */
	uint64_t index;  /* of the open interval */
	uint64_t first;  /* the first interval that no record covers yet */
	struct {
		uint64_t ios, bytes, errors, unfinished, n[LAT_KINDS], sum[LAT_KINDS];
	} last[DIR_COUNT]; /* cumulative, of the last record; so are the copies of histograms */
	struct track_extremes open;
	bool done;                   /* the last record is in the ring */
	_Atomic uint64_t commit;     /* the next head, while the counts of a new record are copied; else 0 */
	_Atomic uint64_t head, tail; /* bytes; head: written by the worker; tail: by the reader */
	uint64_t len;                /* of the last record, in the ring */
	uint64_t ring_at, ring_bytes, copies_at; /* bytes from the struct tracks */
};

struct tracks {
	uint64_t start_ns;  /* 0: not begun */
	uint64_t end_ns;    /* when the first of the open intervals ends; UINT64_MAX: none is open */
	uint64_t finish_ns; /* when the phase ended; 0: not yet */
	uint64_t grid_ns; /* set before tracks_start, not later than its start_ns; 0: no track is on a grid */
	unsigned n;
	struct wstat_layout layout;
	struct track_extremes all;
	struct track track[TRACKS_MAX]; /* n of them have memory */
};

/* Returns the bytes that the tracks need, rings and copies included. */
size_t tracks_bytes(const struct tracks_cfg *c, const struct wstat_layout *l);
/* Begins a phase. t is zeroed memory or was started before. The reader must not take records meanwhile. */
void tracks_start(struct tracks *t, const struct tracks_cfg *c, const struct wstat_layout *l,
		  uint64_t start_ns);
/* Closes every interval that ended by now_ns. st has the cumulative counts so far, without the batch of
   now_ns. The worker calls this when now_ns >= end_ns. */
void tracks_close(struct tracks *t, struct wstat *st, uint64_t now_ns);
/* Ends the tracks of a worker: closes the complete intervals, then the open interval as a record of 0
   intervals and length part_ns (no record if it had neither time nor I/O). If a record does not fit, the
   reader empties the ring and calls this again. For a worker that died the reader calls this with the time of
   death. */
void tracks_finish(struct tracks *t, struct wstat *st, uint64_t now_ns);
/* Returns true if a worker that has ended has no record left to write. */
bool tracks_finished(const struct tracks *t);

/* Reads the oldest record of a track; returns false if the ring is empty. *v is valid until tracks_drop. */
bool tracks_peek(struct tracks *t, unsigned track, struct ival *v);
void tracks_drop(struct tracks *t, unsigned track);

/* Puts the extremes of the whole phase into dir[] of a copy of the worker's wstat. Call this for every copy.
 */
void tracks_extremes(const struct tracks *t, struct wstat_dir dir[DIR_COUNT]);

#endif
