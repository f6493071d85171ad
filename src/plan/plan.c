/* plan.c: the order of planning: sections, waves and groups, and then the rules about the whole run. */
#include <errno.h>
#include "plan_build.h"

static int make_job(struct build *b, const struct job *job, size_t section, uint32_t clone)
{
	struct plan_job *pj = plan_job_new(b, job, section, clone);
	int ret = plan_job_files(b, pj);

	return ret ? ret : plan_job_end(b, pj);
}

static int make_section(struct build *b, uint32_t i)
{
	const struct job *job = &b->p->set->jobs[i];
	int ret = plan_wait_for_stage(b, i);

	if (!ret && job->opts.thread_group.name)
		return plan_thread_group(b, i);
	for (uint32_t c = 0; !ret && c < job->opts.group.numjobs; c++)
		ret = make_job(b, job, i, c);
	return ret;
}

static int make_jobs(struct build *b)
{
	struct plan *p = b->p;
	uint32_t first = 0;
	size_t total = 0;

	for (size_t i = 0; i < p->set->njobs; i++)
		total += p->set->jobs[i].opts.group.numjobs;
	p->jobs = arena_array(&p->arena, total, sizeof(*p->jobs));
	p->stages = arena_array(&p->arena, p->set->njobs, sizeof(*p->stages));
	b->section = arena_array(&p->arena, p->set->njobs, sizeof(*b->section));
	if (!p->jobs || !p->stages || !b->section)
		return plan_no_memory(b);
	for (size_t i = 0; i < p->set->njobs; i++) {
		const struct job *job = &p->set->jobs[i];
		bool new_wave = i == 0 || job->opts.group.stonewall || job->first_of_file;
		int ret;

		if (thread_group_lead(p->set, job) != job)
			continue; /* planned with the first section of its thread_group */
		if (new_wave && i) {
			ret = plan_layout_wave(b, first);
			if (ret)
				return ret;
			first = p->njobs;
		}
		p->nwaves += new_wave;
		p->ngroups += new_wave || job->opts.group.new_group;
		ret = make_section(b, (uint32_t)i);
		if (ret)
			return ret;
	}
	return plan_layout_wave(b, first);
}

static int list_members(struct build *b)
{
	struct plan *p = b->p;
	uint32_t *at = arena_array(&p->arena, p->nreports + 2, sizeof(*at));

	p->members = arena_array(&p->arena, p->njobs, sizeof(*p->members));
	if (!at || !p->members)
		return plan_no_memory(b);
	for (uint32_t i = 0; i < p->njobs; i++)
		at[p->jobs[i].report + 2]++;
	for (uint32_t i = 2; i <= p->nreports; i++)
		at[i] += at[i - 1];
	for (uint32_t i = 0; i < p->njobs; i++)
		p->members[at[p->jobs[i].report + 1]++] = i;
	p->member_at = at;
	return 0;
}

int plan_build(struct plan *p, const struct job_set *set, const struct facts *f, struct diag *d)
{
	/* From plan_rates on: what needs all jobs. */
	static int (*const steps[])(struct build *) = {
		make_jobs,          list_members,  plan_rates,      plan_flows,      plan_logs,
		plan_shared_offset, plan_content,  plan_clock,      plan_zones,      plan_verify_shared,
		plan_tracks,        plan_per_file, plan_rate_steps, plan_file_stats, plan_space,
	};
	struct build b = { .p = p, .f = f, .d = d };
	int ret = 0;

	p->set = set;
	p->arena.shared = true;
	if (!set->njobs)
		return diag_err(d, -EINVAL, "no job to run");
	if (!plan_targets(&b) || !plan_targets_allow(&b))
		return plan_no_memory(&b);
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps) && !ret; i++)
		ret = steps[i](&b);
	return ret;
}

void plan_fini(struct plan *p)
{
	notes_fini(&p->notes);
	notes_fini(&p->overwrite_notes);
	arena_fini(&p->arena);
}
