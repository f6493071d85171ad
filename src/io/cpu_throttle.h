/* cpu_throttle.h: what took processors away from the run, by the kernel's own account: the CPU quota of its
   control groups (version 2), and the host of a virtual machine. */
#ifndef CPU_THROTTLE_H
#define CPU_THROTTLE_H

#include <stdint.h>

struct cpu_throttle {
	uint64_t throttled, throttled_us; /* of its group and those above */
	uint64_t stolen, ticks;           /* of all CPUs, in ticks of the kernel's */
};

/* All up to now; zeros where nothing is told. */
void cpu_throttle_read(struct cpu_throttle *h);
/* What happened between two looks. */
struct cpu_throttle cpu_throttle_since(const struct cpu_throttle *from, const struct cpu_throttle *to);
/* Percent of the CPU time that the host gave to others. */
double cpu_throttle_steal_percent(const struct cpu_throttle *since);

#endif
