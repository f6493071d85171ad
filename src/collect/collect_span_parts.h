/* collect_span_parts.h: the parts of collect_spans.c. Private to src/collect. */
#ifndef COLLECT_SPAN_PARTS_H
#define COLLECT_SPAN_PARTS_H

#include "arena.h"
#include "cpuset.h"
#include "per_file.h"
#include "profile.h"
#include "snapshot.h"
#include "spans.h"
#include "wave_usage.h"

/* collect_buckets.c: adds up the intervals of -D, of one target or of all. */

/* Adds n intervals to *to, which it allocates in the arena if it is NULL. Returns false if memory is
   short. */
bool collect_buckets_add(struct per_file_bucket **to, const struct per_file_bucket *from, uint32_t n,
			 struct arena *mem);
/* Converts the intervals for a time span, and computes the deviation of their rates. Returns how many there
   are up to the last one with an I/O. *to is in the arena; NULL when memory is short. */
size_t collect_buckets_convert(const struct per_file_bucket *from, uint32_t n, uint64_t len_ns,
			       const struct span_bucket **to, struct span_flow flow[SPAN_KINDS],
			       struct arena *mem);

/* collect_lats.c: adds up latencies of reads and writes for a time span. */

struct collect_lats {
	struct moments m[PER_FILE_DIRS];
	struct hist *hist[PER_FILE_DIRS]; /* NULL: moments only */
};

/* hists: with histograms, in the arena. Returns false if memory is short. */
bool collect_lats_init(struct collect_lats *l, bool hists, struct arena *mem);
void collect_lats_add_snapshot(struct collect_lats *to, const struct snapshot *from);
void collect_lats_add_file(struct collect_lats *to, const struct per_file *from, bool hists);
/* Converts the latencies of reads, of writes and of both; buckets are in the arena. Returns false if memory
   is short. */
bool collect_lats_convert(const struct collect_lats *l, struct span_lat *to[SPAN_KINDS], struct arena *mem);

/* Converts moments; the deviation is that of the population, as in DISKSPD. */
void collect_lats_moments(struct span_lat *to, const struct moments *m);

/* collect_dists.c: the effective distributions of -rd on the targets of a time span. */

/* Fills in span->dist and row->dist, from the paths and sizes of the rows. It allocates in the arena, as the
   rows are. Returns false if memory is short. */
bool collect_dists(struct result_span *span, const struct ds_span *settings, struct arena *mem);

/* collect_cpu_use.c: CPU use and the events of -e in the measured time of a time span.
   The functions allocate in the arena and return false when memory is short. */

/* use: NULL if unknown. */
bool collect_cpus(struct result_span *span, const struct span_system *machine, const struct cpuidle_use *use,
		  struct arena *mem);
/* Sets the CPUs that threads were pinned to, and a warning if their efficiency classes differ. */
bool collect_affinity(struct result_span *span, const struct span_system *machine, const struct cpuset *cpus,
		      struct arena *mem);
/* Counts that stand in for the events of Windows. */
struct event_counts {
	const uint64_t *disk;                 /* reads, writes; NULL: not known */
	const uint64_t *faults;               /* minor, major */
	const struct kernel_counters *kernel; /* of the whole machine */
};
bool collect_events(struct result_span *span, const struct ds_profile *profile,
		    const struct event_counts *counts, struct arena *mem);

#endif
