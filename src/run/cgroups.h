/* cgroups.h: control groups (version 2) that jobs run in: made before the first fork, removed after the last
   worker is gone. */
#ifndef CGROUPS_H
#define CGROUPS_H

#include "plan.h"

struct region;

struct cgroups {
	struct cgroup_made {
		char *path; /* made by this run, the outermost first */
		uint32_t job;
	} * v;
	size_t n, cap;
};

/* 0 or -errno with d. *c is zeroed; cgroups_remove it in any case. */
int cgroups_make(struct cgroups *c, const struct plan *p, struct diag *d);
/* What could not be removed is noted with its job. r may be NULL. */
void cgroups_remove(struct cgroups *c, const struct region *r);

#endif
