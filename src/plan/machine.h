/* machine.h: facts about the machine for the plan: CPUs, memory, control groups. They are plain data, so that
   tests can invent machines. A zeroed struct is an unknown machine, against which the plan checks nothing. */
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
	struct cpu_place *places; /* of each online CPU; NULL before machine_probe_places */
	unsigned nplaces;
	unsigned nnodes;          /* length of node_cpus: one more than the highest node */
	uint64_t hugepage[8];     /* sizes in bytes, the default first; 0 ends the list */
	char *cgroup2;            /* where cgroup v2 is mounted; NULL: nowhere */
	bool cgroup2_io;          /* it has the io controller */
	uint64_t available_bytes; /* MemAvailable */
};

/* Fills a zeroed *m. Returns 0 or -ENOMEM; call machine_fini in any case. */
int machine_probe(struct machine *m);
/* Fills m->place: core, thread and speed class of each CPU. Returns 0 or -ENOMEM. */
int machine_probe_places(struct machine *m);
void machine_fini(struct machine *m);

#endif
