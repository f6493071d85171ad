/* collect_cpu_use.h: what the machine did in the measured time of a span: processors, and what -e asks for.
   For collect_spans.c. What is made lies in the arena; false when memory is short. */
#ifndef COLLECT_CPU_USE_H
#define COLLECT_CPU_USE_H

#include "arena.h"
#include "cpuset.h"
#include "profile.h"
#include "wave_usage.h"
#include "spans.h"

/* use: NULL if it is not known. */
bool collect_cpus(struct result_span *span, const struct span_system *machine, const struct cpuidle_use *use,
		  struct arena *mem);
/* The CPUs that its threads were pinned to, and a warning if they are not alike. */
bool collect_affinity(struct result_span *span, const struct span_system *machine, const struct cpuset *cpus,
		      struct arena *mem);
/* What stands in for events. */
struct counted {
	const uint64_t *disk;                 /* reads, writes; NULL: not known */
	const uint64_t *faults;               /* minor, major */
	const struct kernel_counters *kernel; /* of the whole machine */
};
bool collect_events(struct result_span *span, const struct ds_profile *asked, const struct counted *counted,
		    struct arena *mem);

#endif
