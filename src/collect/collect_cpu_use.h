/* collect_cpu_use.h: CPU use and the events of -e in the measured time of a time span. For collect_spans.c.
   The functions allocate in the arena and return false when memory is short. */
#ifndef COLLECT_CPU_USE_H
#define COLLECT_CPU_USE_H

#include "arena.h"
#include "cpuset.h"
#include "profile.h"
#include "wave_usage.h"
#include "spans.h"

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
