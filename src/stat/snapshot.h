/* snapshot.h: a copy of the counts of one worker, or the sum of several workers, taken from the shared
   region. */
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

/* Returns 0 or -ENOMEM. */
int snap_init(struct snapshot *s, const struct wstat_layout *layout);
/* Adds `from` to `to`, which is initialised or zeroed. Counts, histograms, job_runtime_ns and CPU times add;
   runtime_ns per direction becomes the maximum. bw and iops stay, because the ticker samples those of a group
   from time-aligned sums. A histogram that only one side measures stays in the sum; entries of the same
   priority are merged. Returns 0 or -ENOMEM (`to` is unchanged). */
int snap_add(struct snapshot *to, const struct snapshot *from);
/* Counts all I/Os of a snapshot without priorities under priority `prio`. Returns 0 or -ENOMEM. */
int snap_as_prio(struct snapshot *s, uint64_t prio, enum lat_kind kind);
/* Merges reads, writes and trims into DIR_READ, and empties the other two directions. */
void snap_mix(struct snapshot *s);
void snap_fini(struct snapshot *s);

#endif
