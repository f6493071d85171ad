/* topology.h: reads the processors of the machine as DISKSPD's reports describe them. A group has 64
   processors. */
#ifndef TOPOLOGY_H
#define TOPOLOGY_H

#include "arena.h"
#include "cpuset.h"
#include "spans.h"

/* Fills in everything except computer, processor and start_ms. The arrays lie in the arena. Unknown entries
   are left out, but each array has at least one. Returns 0 or -ENOMEM. */
int topology_read(struct span_system *s, struct arena *mem);
/* Returns the place of processor n; unknown fields are 0. */
struct span_cpu topology_cpu(const struct span_system *s, unsigned n);
/* Returns true if the set has processors of several efficiency classes. */
bool topology_mixed(const struct span_system *s, const struct cpuset *cpus);

#endif
