#include "cgroups.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "cgroup_file.h"
#include "plan.h"
#include "region.h"
#include "vec.h"

/* A group may stay busy for a moment after its last process has ended. */
#define REMOVE_TRIES 50 /* 10 ms apart */

static int create_one(struct cgroups *c, const struct plan_job *pj, const char *path, struct diag *d)
{
	char *copy;

	if (mkdir(path, 0755))
		return errno == EEXIST
			       ? 0
			       : diag_kind(
					 d, DIAG_RUN, -errno, "%s: {cgroup=%s}: cannot create %s: %s%s",
					 pj->job->name, pj->job->opts.cgroup.name, path, diag_errno(errno),
					 errno == EACCES || errno == EPERM || errno == EROFS
						 ? "; it needs root or a group that is delegated to this user"
						 : "");
	if (pj->job->opts.cgroup.nodelete)
		return 0;
	copy = strdup(path);
	if (copy && VEC_PUSH(c, (struct cgroup_created){ copy, pj->index }))
		return 0;
	free(copy);
	rmdir(path);
	return diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory for control groups");
}

/* Creates the group and the groups that are missing above it. The path begins with the mount point. */
static int create_path(struct cgroups *c, const struct plan_job *pj, struct diag *d)
{
	char path[PATH_MAX];
	size_t root = strlen(pj->cgroup) - strlen(pj->cgroup_name);
	int ret = 0;

	if (snprintf(path, sizeof(path), "%s", pj->cgroup) >= (int)sizeof(path))
		return diag_kind(d, DIAG_RUN, -ENAMETOOLONG, "{cgroup=%s}: %s", pj->cgroup_name,
				 diag_errno(ENAMETOOLONG));
	for (char *slash = strchr(path + root, '/'); slash && !ret; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		ret = create_one(c, pj, path, d);
		*slash = '/';
	}
	return ret ? ret : create_one(c, pj, path, d);
}

static int set_weight(const struct plan_job *pj, struct diag *d)
{
	uint32_t weight = pj->job->opts.cgroup.weight;
	char text[32];
	int ret, bfq;

	if (!weight)
		return 0;
	snprintf(text, sizeof(text), "default %u\n", weight);
	ret = cgroup_file_write(pj->cgroup, "io.weight", text);
	bfq = cgroup_file_write(pj->cgroup, "io.bfq.weight", text);
	if (!ret || !bfq)
		return 0;
	return diag_kind(d, DIAG_RUN, ret, "%s: {cgroup_weight=%u}: %s/io.weight: %s%s", pj->job->name,
			 weight, pj->cgroup, diag_errno(ret),
			 ret == -ENOENT ? "; enable the io controller in the group above (echo +io > "
					  "cgroup.subtree_control)"
					: "");
}

int cgroups_create(struct cgroups *c, const struct plan *p, struct diag *d)
{
	int ret = 0;

	for (uint32_t i = 0; i < p->njobs && !ret; i++) {
		const struct plan_job *pj = &p->jobs[i];

		if (!pj->cgroup || pj->clone)
			continue;
		ret = create_path(c, pj, d);
		ret = ret ? ret : set_weight(pj, d);
	}
	return ret;
}

static int remove_one(const char *path)
{
	static const struct timespec nap = { .tv_nsec = 10000000 };

	for (unsigned tries = 0; rmdir(path); tries++) {
		if (errno == ENOENT)
			return 0;
		if (errno != EBUSY || tries == REMOVE_TRIES)
			return -errno;
		nanosleep(&nap, NULL);
	}
	return 0;
}

void cgroups_remove(struct cgroups *c, const struct region *r)
{
	while (c->n) {
		struct cgroup_created *m = &c->v[--c->n];
		int ret = remove_one(m->path);
		struct slot *s = r ? region_slot(r, m->job) : NULL;

		if (ret && s)
			slot_note(s, NULL, "cannot remove control group %.150s: %s", m->path,
				  diag_errno(ret));
		free(m->path);
	}
	free(c->v);
	*c = (struct cgroups){ 0 };
}
