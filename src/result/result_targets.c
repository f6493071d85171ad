/* result_targets.c: the devices below the files and devices of a run. */
#include "result.h"

#include <stdlib.h>
#include <string.h>
#include "figures.h"
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
	struct result_target t = *target, *own;

	t.fs = (struct props){ 0 };
	result_copy_figures(r, figures_target, &t);
	if (!t.path || !VEC_ADD(r->targets, r->ntargets, r->targets_cap, t)) {
		r->failed = true;
		return;
	}
	own = &r->targets[r->ntargets - 1];
	props_add(&own->fs, &target->fs);
	r->failed = r->failed || own->fs.failed;
	copy_devices(r, own, target);
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

/* Returns the list of the plan with this name. */
static const struct figure *plan_list(const char *name)
{
	const struct figure *f = figures_plan;

	while (strcmp(f->name, name) != 0)
		f++;
	return f;
}

void result_plan_jobs(struct result *r, const struct result_plan_job *job, size_t n)
{
	for (size_t i = 0; i < n; i++)
		result_add_entry(r, plan_list("plan.jobs"), r, &job[i]);
}

void result_plan_space(struct result *r, const struct result_plan_space *space)
{
	result_add_entry(r, plan_list("plan.space"), r, space);
}

void result_overwrite(struct result *r, const struct result_overwrite *file)
{
	result_add_entry(r, plan_list("plan.overwrites"), r, file);
}
