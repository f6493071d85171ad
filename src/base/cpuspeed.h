/* cpuspeed.h: the speed classes of CPUs, as the kernel reports them. */
#ifndef CPUSPEED_H
#define CPUSPEED_H

#include "cpuset.h"

/* Stores the class of each CPU of the set at its number; 0 is the slowest class. Returns the number of
   classes: 1 if all CPUs are alike or the kernel reports nothing. */
unsigned cpuspeed_classes(const struct cpuset *cpus, unsigned class[CPUSET_MAX]);

#endif
