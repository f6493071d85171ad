/* snapshot.h: numbers of one worker, or of several added up, copied out of the shared region. */
#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include "samples.h"
#include "wstat.h"

struct snapshot {
	struct wstat_layout layout;
	struct wstat *st; /* owned; NULL before snap_init */
	struct wcount cnt;
	struct samples bw[SAMPLE_ROWS],
		iops[SAMPLE_ROWS]; /* KiB/s, I/Os per s; of a group: of the time-aligned sums */
	unsigned members;
};

/* 0 or -ENOMEM. */
int snap_init(struct snapshot *s, const struct wstat_layout *layout);
/* `to` is initialised or zeroed. Adds everything but bw and iops (a group's are sampled from the aligned sums
   by the ticker): counts and histograms add, runtime_ns per direction is the maximum, job_runtime_ns and CPU
   times add. Histograms that only one side measures are kept; priorities are joined by what they are. 0 or
   -ENOMEM (`to` is unchanged). */
int snap_add(struct snapshot *to, const struct snapshot *from);
/* Counts the I/Os of a snapshot that has no priorities as those of this one. 0 or -ENOMEM. */
int snap_as_prio(struct snapshot *s, uint64_t prio, enum lat_kind kind);
/* All directions become one: what was read, written and trimmed stands under DIR_READ, the others are empty.
 */
void snap_mix(struct snapshot *s);
void snap_fini(struct snapshot *s);

#endif
