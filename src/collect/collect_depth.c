#include "collect_parts.h"

#include <stdlib.h>
#include "depth_search.h"
#include "result.h"
#include "run.h"

/* The steps of an entry while they are added. */
struct steps {
	struct result_depth_step *v;
	struct result_latency_target t;
};

static struct result_depth_step result_step(const struct depth_step *step, unsigned clone)
{
	return (struct result_depth_step){
		.clone = clone,
		.depth = step->depth,
		.met = step->met,
		.ios = step->ios,
		.within = step->within,
		.ns = step->ns,
		.lat_ns = step->lat_ns,
	};
}

static void add_steps(struct steps *s, const struct depth_search *d, unsigned clone)
{
	uint64_t first = d->nsteps > DEPTH_STEPS ? d->nsteps - DEPTH_STEPS : 0;

	s->t.left_out += first;
	for (uint64_t i = first; i < d->nsteps; i++)
		s->v[s->t.nsteps++] = result_step(&d->steps[i % DEPTH_STEPS], clone);
}

/* Without latency_run the job measured this window alone, so the rate is that of its figures. */
static double answer_iops(const struct result_job *job, const struct depth_search *d,
			  const struct depth_step *answer)
{
	double iops = 0;

	if (d->cfg.run)
		return answer->ns ? (double)answer->completed * 1e9 / (double)answer->ns : 0;
	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		iops += job->sum.dir[dir].iops;
	return iops;
}

static void set_answer(struct result_latency_target *t, const struct result_job *job,
		       const struct depth_search *d, unsigned clone)
{
	struct depth_step answer = depth_search_answer(d);

	t->answer = result_step(&answer, clone);
	t->answer_iops = answer.ios ? answer_iops(job, d, &answer) : 0;
}

/* Returns the depth found last, even if another search goes on (latency_run). */
static uint32_t depth_of(const struct depth_search *d)
{
	if (!d->ever_found)
		return d->depth;
	return d->last_found ? d->last_found : 1;
}

/* Notes why the depth of this worker does not meet the target. */
static void note_search(struct result_job *job, const struct depth_search *d, unsigned clone)
{
	if (!d->nsteps)
		result_job_note(job, "{~clone|clone} %u: {latency_target}: no window was complete", clone);
	else if (d->ever_found && !d->last_found)
		result_job_note(job, "{~clone|clone} %u: {latency_target} was not met even at a depth of 1",
				clone);
	else if (!d->ever_found && !d->low)
		result_job_note(
			job,
			"{~clone|clone} %u: the search for {latency_target} ended with the {runtime}; no "
			"depth tried met it",
			clone);
	else if (!d->ever_found)
		result_job_note(
			job,
			"{~clone|clone} %u: the search for {latency_target} ended with the {runtime}; the "
			"greatest depth that met it was %u",
			clone, d->low);
}

void collect_depth(struct result *r, struct result_job *job, const struct run *run, uint32_t report)
{
	const uint32_t *member;
	uint32_t n = plan_members(run->plan, report, &member);
	struct steps s = { .t = { .on = true, .found = true } };

	if (!run->plan->jobs[member[0]].job->opts.time.search || !run->end_ns)
		return;
	s.v = calloc((size_t)n * DEPTH_STEPS, sizeof(*s.v));
	if (!s.v) {
		r->failed = true;
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct plan_job *pj = &run->plan->jobs[member[i]];
		const struct depth_search *d = slot_part(run_slot(run, member[i]), pj, SLOT_SEARCH);

		if (!pj->job->opts.time.search)
			continue;
		add_steps(&s, d, pj->clone);
		note_search(job, d, pj->clone);
		s.t.found = s.t.found && d->ever_found && d->last_found;
		if (i)
			continue;
		set_answer(&s.t, job, d, pj->clone);
		s.t.depth = depth_of(d);
		s.t.iodepth = pj->depth;
		s.t.target_ns = pj->job->opts.latency_target.target_ns;
		s.t.window_ns = pj->job->opts.latency_target.window_ns;
		s.t.percentile = pj->job->opts.latency_target.percentile;
	}
	s.t.steps = s.v;
	result_job_latency_target(r, job, &s.t);
	free(s.v);
}
