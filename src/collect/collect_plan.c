#include "collect.h"

#include <stdlib.h>
#include "plan.h"
#include "result.h"

static void add_numbers(const struct plan *p, struct result *r)
{
	r->plan.sections = (unsigned)p->set->njobs;
	r->plan.workers = p->njobs;
	for (uint32_t i = 0; i < p->njobs; i++) {
		if (p->jobs[i].job->opts.group.thread)
			r->plan.threads++;
		else
			r->plan.processes++;
	}
	r->plan.groups = p->ngroups;
	r->plan.waves = p->nwaves;
	r->plan.seed = p->jobs[0].job->opts.offset.randseed;
	r->plan.layout_bytes = p->layout_bytes;
}

static void add_section(struct result_plan_job *v, const struct plan_job *pj)
{
	const struct job_opts *o = &pj->job->opts;
	struct result_plan_job *j = &v[pj->section];

	if (j->workers++) {
		j->verify_memory_bytes += plan_verify_memory(pj);
		return;
	}
	*j = (struct result_plan_job){ .name = pj->job->name,
				       .group = pj->group,
				       .wave = pj->wave,
				       .stage = pj->stage,
				       .workers = 1,
				       .threads = o->group.thread,
				       .repeat = o->offset.randrepeat,
				       .randseed = o->offset.randseed,
				       .seed = pj->seed,
				       .verify_known_by = plan_verifies(pj) ? plan_verify_known_by(pj) : NULL,
				       .verify_memory_bytes = plan_verify_memory(pj) };
}

static void add_sections(const struct plan *p, struct result *r)
{
	struct result_plan_job *v = calloc(p->set->njobs + 1, sizeof(*v));

	for (uint32_t i = 0; v && i < p->set->njobs; i++)
		v[i].name = p->set->jobs[i].name; /* a thread_group may leave one without workers */
	for (uint32_t i = 0; v && i < p->njobs; i++) {
		const struct plan_job *pj = &p->jobs[i];

		for (uint32_t k = 0; k < pj->nmembers; k++)
			add_section(v, &pj->members[k]);
		if (!pj->nmembers)
			add_section(v, pj);
	}
	if (v)
		result_plan_jobs(r, v, p->set->njobs);
	free(v);
}

static void add_space(const struct plan *p, struct result *r)
{
	for (uint32_t i = 0; i < p->nspaces; i++) {
		const struct plan_space *s = &p->spaces[i];
		const struct result_plan_space space = { .path = s->path,
							 .fstype = s->fstype,
							 .need_bytes = s->need_bytes,
							 .peak_bytes = s->most_bytes,
							 .free_bytes = s->free_bytes };

		if (s->most_bytes)
			result_plan_space(r, &space);
	}
}

static void add_overwrites(const struct plan *p, struct result *r)
{
	for (uint32_t i = 0; i < p->ntargets; i++) {
		const struct plan_target *t = &p->targets[i];
		int64_t modified = t->facts ? t->facts->modified_s : 0;

		if (t->overwrites)
			result_overwrite(r, &(struct result_overwrite){
						    .path = t->path,
						    .job = t->overwrites->name,
						    .size_bytes = t->facts->size,
						    .modified_s = modified > 0 ? (uint64_t)modified : 0 });
	}
}

void collect_plan(struct result *r, const struct plan *p)
{
	add_numbers(p, r);
	add_sections(p, r);
	add_space(p, r);
	add_overwrites(p, r);
}
