/* targets.c: the devices below the files and devices of a run. */
#include "result.h"

#include <stdlib.h>
#include "vec.h"

static void copy_devices(struct result *r, struct result_target *to, const struct result_target *from)
{
	to->dev = from->devs ? arena_array(&r->mem, from->devs, sizeof(*to->dev)) : NULL;
	to->devs = to->dev ? from->devs : 0;
	r->failed = r->failed || to->devs != from->devs;
	for (unsigned i = 0; i < to->devs; i++) {
		to->dev[i].level = from->dev[i].level;
		props_add(&to->dev[i].props, &from->dev[i].props);
		r->failed = r->failed || to->dev[i].props.failed;
	}
}

void result_add_target(struct result *r, const struct result_target *target)
{
	struct {
		struct result_target *v;
		size_t n, cap;
	} list = { r->target, r->targets, r->targets_cap };
	struct result_target t = { .type = target->type, .files = target->files };

	t.path = result_copy_text(r, target->path);
	if (!t.path || !VEC_PUSH(&list, t)) {
		r->failed = true;
		return;
	}
	r->target = list.v;
	r->targets = list.n;
	r->targets_cap = list.cap;
	props_add(&list.v[list.n - 1].fs, &target->fs);
	r->failed = r->failed || list.v[list.n - 1].fs.failed;
	copy_devices(r, &list.v[list.n - 1], target);
}

void result_free_targets(struct result *r)
{
	for (size_t i = 0; i < r->targets; i++) {
		props_fini(&r->target[i].fs);
		for (unsigned k = 0; k < r->target[i].devs; k++)
			props_fini(&r->target[i].dev[k].props);
	}
	free(r->target);
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
	r->plan.job = v;
	r->plan.jobs = v ? n : 0;
}

void result_plan_space(struct result *r, const struct result_plan_space *space)
{
	struct result_plan_space *v = arena_array(&r->mem, r->plan.spaces + 1, sizeof(*v));
	const char *path = result_copy_text(r, space->path), *fstype = result_copy_text(r, space->fstype);

	if (!v || !path || !fstype) {
		r->failed = true;
		return;
	}
	for (size_t i = 0; i < r->plan.spaces; i++)
		v[i] = r->plan.space[i];
	v[r->plan.spaces] = *space;
	v[r->plan.spaces].path = path;
	v[r->plan.spaces++].fstype = fstype;
	r->plan.space = v;
}

void result_overwrite(struct result *r, const struct result_overwrite *file)
{
	struct result_overwrite *v = r->plan.overwrite;
	size_t n = r->plan.overwrites;

	if (!(n & (n - 1))) { /* full: the room doubles */
		v = arena_array(&r->mem, n ? 2 * n : 1, sizeof(*v));
		for (size_t i = 0; v && i < n; i++)
			v[i] = r->plan.overwrite[i];
	}
	if (!v) {
		r->failed = true;
		return;
	}
	v[n] = *file;
	v[n].path = result_copy_text(r, file->path);
	v[n].job = result_copy_text(r, file->job);
	r->plan.overwrite = v;
	if (v[n].path && v[n].job)
		r->plan.overwrites++;
}
