/* result_targets.c: the devices below the files and devices of a run. */
#include "result.h"

#include <stdlib.h>
#include "vec.h"

static void copy_devices(struct result *r, struct result_target *to, const struct result_target *from)
{
	to->devs = from->ndevs ? arena_array(&r->mem, from->ndevs, sizeof(*to->devs)) : NULL;
	to->ndevs = to->devs ? from->ndevs : 0;
	r->failed = r->failed || to->ndevs != from->ndevs;
	for (unsigned i = 0; i < to->ndevs; i++) {
		to->devs[i].level = from->devs[i].level;
		props_add(&to->devs[i].props, &from->devs[i].props);
		r->failed = r->failed || to->devs[i].props.failed;
	}
}

void result_add_target(struct result *r, const struct result_target *target)
{
	struct {
		struct result_target *v;
		size_t n, cap;
	} list = { r->targets, r->ntargets, r->targets_cap };
	struct result_target t = { .type = target->type, .files = target->files };

	t.path = result_copy_text(r, target->path);
	if (!t.path || !VEC_PUSH(&list, t)) {
		r->failed = true;
		return;
	}
	r->targets = list.v;
	r->ntargets = list.n;
	r->targets_cap = list.cap;
	props_add(&list.v[list.n - 1].fs, &target->fs);
	r->failed = r->failed || list.v[list.n - 1].fs.failed;
	copy_devices(r, &list.v[list.n - 1], target);
}

void result_free_targets(struct result *r)
{
	for (size_t i = 0; i < r->ntargets; i++) {
		props_fini(&r->targets[i].fs);
		for (unsigned k = 0; k < r->targets[i].ndevs; k++)
			props_fini(&r->targets[i].devs[k].props);
	}
	free(r->targets);
	props_fini(&r->env.props);
}

void result_plan_jobs(struct result *r, const struct result_plan_job *job, size_t n)
{
	struct result_plan_job *v = n ? arena_array(&r->mem, n, sizeof(*v)) : NULL;

	r->failed = r->failed || (n && !v);
	for (size_t i = 0; v && i < n; i++) {
		v[i] = job[i];
		v[i].name = result_copy_text(r, job[i].name);
		if (!v[i].name)
			v[i].name = "";
	}
	r->plan.jobs = v;
	r->plan.njobs = v ? n : 0;
}

void result_plan_space(struct result *r, const struct result_plan_space *space)
{
	struct result_plan_space *v = arena_array(&r->mem, r->plan.nspaces + 1, sizeof(*v));
	const char *path = result_copy_text(r, space->path), *fstype = result_copy_text(r, space->fstype);

	if (!v || !path || !fstype) {
		r->failed = true;
		return;
	}
	for (size_t i = 0; i < r->plan.nspaces; i++)
		v[i] = r->plan.spaces[i];
	v[r->plan.nspaces] = *space;
	v[r->plan.nspaces].path = path;
	v[r->plan.nspaces++].fstype = fstype;
	r->plan.spaces = v;
}

void result_overwrite(struct result *r, const struct result_overwrite *file)
{
	struct result_overwrite *v = r->plan.overwrites;
	size_t n = r->plan.noverwrites;

	if (!(n & (n - 1))) { /* full: the room doubles */
		v = arena_array(&r->mem, n ? 2 * n : 1, sizeof(*v));
		for (size_t i = 0; v && i < n; i++)
			v[i] = r->plan.overwrites[i];
	}
	if (!v) {
		r->failed = true;
		return;
	}
	v[n] = *file;
	v[n].path = result_copy_text(r, file->path);
	v[n].job = result_copy_text(r, file->job);
	r->plan.overwrites = v;
	if (v[n].path && v[n].job)
		r->plan.noverwrites++;
}
