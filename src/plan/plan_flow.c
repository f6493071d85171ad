/* plan_flow.c: groups the jobs that keep a proportion of I/Os (flow). As with shared rates, the jobs of a
   flow start together: behind a stonewall or wait_for another flow begins. */
#include <stdlib.h>
#include "plan_build.h"

/* Sorts the jobs by stage, number of the flow, and index. */
static int by_flow(const void *x, const void *y)
{
	const struct plan_job *a = *(const struct plan_job *const *)x,
			      *b = *(const struct plan_job *const *)y;

	if (a->stage != b->stage)
		return a->stage < b->stage ? -1 : 1;
	if (a->job->opts.flow.id != b->job->opts.flow.id)
		return a->job->opts.flow.id < b->job->opts.flow.id ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* Plans the n jobs of one flow. */
static int plan_one(struct build *b, struct plan_job *const *job, uint32_t n)
{
	struct plan *p = b->p;
	uint32_t first = p->nflows;
	uint64_t start = UINT64_MAX;

	if (n == 1)
		return plan_err(b, job[0]->job, "flow",
				"{flow=%u}: no other worker that starts with this one has {flow} and "
				"{flow_id=%u}, so there is no proportion to keep",
				job[0]->job->opts.flow.weight, job[0]->job->opts.flow.id);
	for (uint32_t i = 0; i < n; i++)
		if (job[i]->startdelay_ns < start)
			start = job[i]->startdelay_ns;
	for (uint32_t i = 0; i < n; i++) {
		const struct time_cfg *t = &job[i]->job->opts.time;

		p->flows[p->nflows++] = (struct plan_flow){
			.job = job[i]->index,
			.first = first,
			.members = n,
			.weight = job[i]->job->opts.flow.weight,
			.lead = job[i]->depth,
			.joins_later = job[i]->startdelay_ns > start,
			.end_ns = job[i]->startdelay_ns + t->ramp_ns + t->runtime_ns + t->cooldown_ns,
		};
		job[i]->flow = p->nflows;
	}
	return 0;
}

int plan_flows(struct build *b)
{
	struct plan *p = b->p;
	struct plan_job **job = arena_array(&p->arena, p->njobs, sizeof(struct plan_job *));
	uint32_t n = 0, end;
	int ret = 0;

	p->flows = arena_array(&p->arena, p->njobs, sizeof(*p->flows));
	if (!job || !p->flows)
		return plan_no_memory(b);
	for (uint32_t i = 0; i < p->njobs; i++)
		if (p->jobs[i].job->opts.flow.weight)
			job[n++] = &p->jobs[i];
	qsort(job, n, sizeof(struct plan_job *), by_flow);
	for (uint32_t at = 0; at < n && !ret; at = end) {
		for (end = at + 1; end < n; end++)
			if (job[end]->stage != job[at]->stage ||
			    job[end]->job->opts.flow.id != job[at]->job->opts.flow.id)
				break;
		ret = plan_one(b, job + at, end - at);
	}
	return ret;
}
