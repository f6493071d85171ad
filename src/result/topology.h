/* topology.h: the machine as DISKSPD's reports describe it. Groups are 64 processors each. */
#ifndef TOPOLOGY_H
#define TOPOLOGY_H

#include "arena.h"
#include "cpuset.h"
#include "spans.h"

/* Fills in all but computer, processor and start_ms. What is made lies in the arena; what is not known is
   left out, but there is one of each kind at least. 0 or -ENOMEM. */
int topology_read(struct span_system *s, struct arena *mem);
/* The place of processor n: 0 where it is not known. */
struct span_cpu topology_cpu(const struct span_system *s, unsigned n);
/* Whether processors of several efficiency classes are in the set. */
bool topology_mixed(const struct span_system *s, const struct cpuset *cpus);

#endif
