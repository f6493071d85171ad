/* track.h: a worker's tracks: each closes intervals of its own length since the phase began, and shows them
   as records (interval.h) in a ring of bytes that one reader empties. Plain shared memory: no pointers, one
   writer, one reader. An I/O pays nothing for tracks: records are differences of the worker's cumulative
   figures against a copy made at the last close.

   A full ring makes nobody wait: the track goes on, and the next record that fits covers more intervals
   (span). A time without I/O is one record of zeros, however long.

   Extremes: the moments in the worker's wstat run min and max of the time since tracks last looked at them;
   at each close they join those of every track's open interval and those of the whole phase, and begin anew.
   Whoever copies a wstat lets tracks_extremes complete the copy. */
#ifndef TRACK_H
#define TRACK_H

#include <stdatomic.h>
#include "interval.h"

#define TRACKS_MAX 5

/* What the plan asks for. */
struct track_cfg {
	uint64_t len_ns;
	uint8_t moments, hists; /* bits of enum lat_kind: what records hold besides counts, where measured */
};
struct tracks_cfg {
	unsigned n;
	struct track_cfg track[TRACKS_MAX];
};
/* The track of this length, with at least these contents, whose number is returned; there are at most
   TRACKS_MAX lengths. */
unsigned tracks_want(struct tracks_cfg *c, uint64_t len_ns, unsigned moments, unsigned hists);

struct track_extremes {
	uint64_t min[DIR_COUNT][LAT_KINDS], max[DIR_COUNT][LAT_KINDS];
};

struct track {
	struct track_cfg cfg;
	uint64_t end_ns; /* of the open interval */
	uint64_t index;  /* of the open interval */
	uint64_t first;  /* the first interval that no record covers yet */
	struct {
		uint64_t ios, bytes, errors, n[LAT_KINDS], sum[LAT_KINDS];
	} last[DIR_COUNT]; /* cumulative, of the last record; so are the copies of histograms */
	struct track_extremes open;
	bool done;                   /* the last record is out */
	_Atomic uint64_t commit;     /* what head becomes once the copies are made; 0: no record is being
					written */
	_Atomic uint64_t head, tail; /* bytes; head: written by the worker; tail: by the reader */
	uint64_t len;                /* of the last record, in the ring */
	uint64_t ring_at, ring_bytes, copies_at; /* bytes from the struct tracks */
};

struct tracks {
	uint64_t start_ns;  /* 0: not begun */
	uint64_t end_ns;    /* when the first of the open intervals ends; UINT64_MAX: none is open */
	uint64_t finish_ns; /* when the phase ended; 0: not yet */
	unsigned n;
	struct wstat_layout layout;
	struct track_extremes all;
	struct track track[TRACKS_MAX]; /* n of them have memory */
};

/* What tracks need, rings and copies included. */
size_t tracks_bytes(const struct tracks_cfg *c, const struct wstat_layout *l);
/* Zeroed memory, or one that has begun before: a phase begins. Not while a reader may be taking. */
void tracks_start(struct tracks *t, const struct tracks_cfg *c, const struct wstat_layout *l,
		  uint64_t start_ns);
/* Closes every interval that ended by now_ns, given the cumulative figures so far (those of now_ns's batch
   not yet added). Call when now_ns >= end_ns. */
void tracks_close(struct tracks *t, struct wstat *st, uint64_t now_ns);
/* The worker has ended: closes the intervals that are complete, then the open one as a record whose span is 0
   and whose length is part_ns (none if it had neither time nor I/O). What does not fit then is done by the
   reader, who calls this again, with the time of a worker's death if it could not call itself. */
void tracks_finish(struct tracks *t, struct wstat *st, uint64_t now_ns);
/* Whether a record is still to come after the ring is empty, of a worker that has ended. */
bool tracks_finished(const struct tracks *t);

/* The oldest record of one track; false if there is none. Valid until tracks_drop takes it away. */
bool tracks_peek(struct tracks *t, unsigned track, struct ival *v);
void tracks_drop(struct tracks *t, unsigned track);

/* The dir of a copy of the worker's wstat gets the extremes of the whole phase. Call on every copy. */
void tracks_extremes(const struct tracks *t, struct wstat_dir dir[DIR_COUNT]);

#endif
