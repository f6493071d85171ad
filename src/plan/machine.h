/* machine.h: what the plan has to know of the machine: CPUs, memory, control groups. Plain data, so that
   tests make machines up; a zeroed one is unknown, and nothing is checked against it. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>
#include "cpuorder.h"
#include "cpuset.h"

struct machine {
	struct cpuset cpus;    /* online */
	struct cpuset allowed; /* of these, the ones that this process may choose */
	struct cpuset nodes;   /* memory nodes */
	struct cpuset *node_cpus;
	struct cpu_place *place; /* of each CPU online, once machine_places has looked */
	unsigned nplaces;
	unsigned nnodes;          /* of node_cpus; one more than the highest */
	uint64_t hugepage[8];     /* sizes that there are, the default first; 0: no more */
	char *cgroup2;            /* where cgroup v2 is mounted; NULL: nowhere */
	bool cgroup2_io;          /* the io controller is there */
	uint64_t available_bytes; /* memory that could be had at once */
};

/* 0 or -ENOMEM. Changes nothing. */
int machine_probe(struct machine *m);
/* What the CPUs of m->cpus are like. 0 or -ENOMEM. */
int machine_places(struct machine *m);
void machine_fini(struct machine *m);

#endif
