/* cpu_counters.h: counts what the calling thread executes, in user mode and in the kernel, with perf events.
   Virtual machines often have no such counters, and /proc/sys/kernel/perf_event_paranoid may forbid them. */
#ifndef CPU_COUNTERS_H
#define CPU_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

enum cpu_counter {
	COUNT_USER_INSTRUCTIONS,
	COUNT_KERNEL_INSTRUCTIONS,
	COUNT_USER_CYCLES,
	COUNT_KERNEL_CYCLES,
	CPU_COUNTERS
};

/* The caller zeroes it. */
struct cpu_counters {
	bool open;
	int fds[CPU_COUNTERS];
};

/* The layout is the kernel's (PERF_FORMAT_GROUP). */
struct cpu_counts {
	uint64_t n, enabled_ns, running_ns; /* the counters may run for a part of the time */
	uint64_t counts[CPU_COUNTERS];
};

/* Begins to count for the calling thread alone. Returns 0 or -errno: -ENOENT if the CPU has no counters. */
int cpu_counters_open(struct cpu_counters *c);
/* Returns false if the counters are not open. */
bool cpu_counters_read(const struct cpu_counters *c, struct cpu_counts *now);
/* Returns a count between two reads, scaled to the whole time between them. */
uint64_t cpu_counters_between(const struct cpu_counts *from, const struct cpu_counts *to,
			      enum cpu_counter which);
void cpu_counters_close(struct cpu_counters *c);

#endif
