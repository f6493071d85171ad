/* cpuspeed.h: which CPUs have faster cores than others, as the kernel tells it. */
#ifndef CPUSPEED_H
#define CPUSPEED_H

#include "cpuset.h"

/* The class of each CPU of the set, by its number: 0 is the slowest. Returns how many there are: 1 where all
   are alike, or nothing is told. */
unsigned cpuspeed_classes(const struct cpuset *cpus, unsigned class[CPUSET_MAX]);

#endif
