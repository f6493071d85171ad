/* cpuheld.h: what took processors away from the run, by the kernel's own account: the CPU quota of its
   control groups (version 2), and the host of a virtual machine. */
#ifndef CPUHELD_H
#define CPUHELD_H

#include <stdint.h>

struct cpuheld {
	uint64_t throttled, throttled_us; /* of its group and those above */
	uint64_t stolen, ticks;           /* of all CPUs, in ticks of the kernel's */
};

/* All up to now; zeros where nothing is told. */
void cpuheld_look(struct cpuheld *h);
/* What happened between two looks. */
struct cpuheld cpuheld_since(const struct cpuheld *from, const struct cpuheld *to);
/* Percent of the CPU time that the host gave to others. */
double cpuheld_stolen(const struct cpuheld *since);

#endif
