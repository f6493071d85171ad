/* plan_cgroup.c: the control group of each clone. */
#include <string.h>
#include "plan_build.h"

static int check_weight(struct build *b, const struct plan_job *pj)
{
	const struct cgroup_cfg *o = &pj->job->opts.cgroup;

	if (!o->weight)
		return 0;
	if (!b->f->machine.cgroup2_io)
		return plan_err(b, pj->job, "cgroup_weight",
				"{cgroup_weight=%u}: cgroup v2 has no io controller on this machine "
				"(%s/cgroup.controllers); version 1 may be using it",
				o->weight, b->f->machine.cgroup2);
	for (uint32_t i = 0; i < pj->index; i++) {
		const struct plan_job *other = &b->p->jobs[i];
		uint32_t weight = other->job->opts.cgroup.weight;

		if (other->cgroup && weight && weight != o->weight && !strcmp(other->cgroup, pj->cgroup))
			return plan_err(b, pj->job, "cgroup_weight",
					"{cgroup_weight=%u}: job %s has weight %u for the same {cgroup=%s}",
					o->weight, other->job->name, weight, o->name);
	}
	return 0;
}

int plan_cgroup(struct build *b, struct plan_job *pj)
{
	const struct cgroup_cfg *o = &pj->job->opts.cgroup;
	const char *name = o->name;

	if (!name)
		return 0;
	if (!plan_is_first(b, pj)) {
		pj->cgroup = pj[-1].cgroup;
		pj->cgroup_name = pj[-1].cgroup_name;
		return 0;
	}
	if (!b->f->machine.cgroup2)
		return plan_err(b, pj->job, "cgroup",
				"{cgroup=%s}: needs cgroup v2, which is not mounted; groups of version 1 "
				"(fio's) are not supported, because they do not count buffered writes",
				name);
	name += strspn(name, "/");
	pj->cgroup = arena_printf(&b->p->arena, "%s/%s", b->f->machine.cgroup2, name);
	if (!pj->cgroup)
		return plan_no_memory(b);
	pj->cgroup_name = pj->cgroup + strlen(b->f->machine.cgroup2) + 1;
	return check_weight(b, pj);
}
