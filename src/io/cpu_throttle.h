/* cpu_throttle.h: CPU time that the run did not get, from the kernel's counters: throttling by the CPU
   quota of its control groups (version 2), and time that a virtual machine's host gave to others. */
#ifndef CPU_THROTTLE_H
#define CPU_THROTTLE_H

#include <stdint.h>

struct cpu_throttle {
	uint64_t throttled, throttled_us; /* periods and microseconds of throttling, of this process's group
					     and those above it */
	uint64_t stolen, ticks;           /* steal time and all time, summed over CPUs, in kernel ticks */
};

/* Reads the counters; those that the kernel does not provide are 0. */
void cpu_throttle_read(struct cpu_throttle *h);
/* Returns the differences between two reads. */
struct cpu_throttle cpu_throttle_since(const struct cpu_throttle *from, const struct cpu_throttle *to);
/* Returns the steal time in percent of all CPU time. */
double cpu_throttle_steal_percent(const struct cpu_throttle *since);

#endif
