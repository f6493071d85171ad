/* machine.h: facts about the machine for the plan: CPUs, memory, control groups. Plain data, so that tests
   can invent machines. A zeroed machine is unknown, and the plan checks nothing against it. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>
#include "cpuorder.h"
#include "cpuset.h"

struct machine {
	struct cpuset cpus;    /* online */
	struct cpuset allowed; /* online CPUs that this process may choose */
	struct cpuset nodes;   /* memory nodes */
	struct cpuset *node_cpus;
	struct cpu_place *place; /* of each online CPU; NULL before machine_probe_places */
	unsigned nplaces;
	unsigned nnodes;          /* length of node_cpus: one more than the highest node */
	uint64_t hugepage[8];     /* sizes in bytes, the default first; 0 ends the list */
	char *cgroup2;            /* where cgroup v2 is mounted; NULL: nowhere */
	bool cgroup2_io;          /* the io controller is there */
	uint64_t available_bytes; /* MemAvailable */
};

/* Fills a zeroed *m. 0 or -ENOMEM; call machine_fini in any case. */
int machine_probe(struct machine *m);
/* Fills m->place: core, thread and speed class of each CPU. 0 or -ENOMEM. */
int machine_probe_places(struct machine *m);
void machine_fini(struct machine *m);

#endif
