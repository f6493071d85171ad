/* cgroups.h: control groups (version 2) for jobs: created before the first fork, removed after the last
   worker has ended. */
#ifndef CGROUPS_H
#define CGROUPS_H

#include <stddef.h>
#include <stdint.h>

struct diag;
struct plan;
struct region;

struct cgroups {
	/* Groups that this run created, the outermost first. */
	struct cgroup_created {
		char *path;
		uint32_t job; /* plan_job.index */
	} * v;
	size_t n, cap;
};

/* Creates the groups and sets their weights. *c is zeroed. Returns 0, or -errno with d; call cgroups_remove
   in any case. */
int cgroups_create(struct cgroups *c, const struct plan *p, struct diag *d);
/* Removes the groups. If a group cannot be removed, the job's slot gets a note. r may be NULL. */
void cgroups_remove(struct cgroups *c, const struct region *r);

#endif
