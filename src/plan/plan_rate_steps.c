/* plan_rate_steps.c: the statistics of each step of rate_steps. */
#include "plan_build.h"

#include <inttypes.h>

/* The limit for the memory of these statistics in the whole run. */
#define BYTES_MOST ((uint64_t)1 << 30)

/* Returns the first job of the same report entry; NULL if this is the first. */
static const struct plan_job *first_in_report(const struct plan *p, const struct plan_job *pj)
{
	uint32_t i = 0;

	while (p->jobs[i].report != pj->report)
		i++;
	return &p->jobs[i] == pj ? NULL : &p->jobs[i];
}

static bool same_starts(const struct pace_steps *a, const struct pace_steps *b)
{
	bool same = a->n == b->n && a->by_bytes == b->by_bytes;

	for (uint32_t i = 0; same && i < a->n; i++)
		same = a->step[i].start_ns == b->step[i].start_ns;
	return same;
}

/* A report entry has one list of steps. */
static int check_group(struct build *b, const struct plan_job *pj)
{
	const struct plan_job *first = first_in_report(b->p, pj);

	if (!first || same_starts(&pj->job->opts.pace.steps, &first->job->opts.pace.steps))
		return 0;
	return plan_err(b, pj->job, "rate_steps",
			"{rate_steps} of %s and %s must start at the same times, and all count I/Os or all "
			"bytes, because {group_reporting} adds them up",
			first->job->name, pj->job->name);
}

int plan_rate_steps(struct build *b)
{
	struct plan *p = b->p;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < p->njobs; i++) {
		struct plan_job *pj = &p->jobs[i];
		const struct pace_steps *s = &pj->job->opts.pace.steps;
		int ret = check_group(b, pj);

		if (ret)
			return ret;
		if (!s->n || !pj->rw || pj->job->opts.verify.only)
			continue;
		pj->step_counts = (struct step_counts_cfg){ .steps = s->n, .dirs = pj->rw & RW_DIRS };
		sum += step_counts_bytes(&pj->step_counts);
		if (sum > BYTES_MOST)
			return plan_err(
				b, pj->job, "rate_steps",
				"{rate_steps}: the histograms of %u steps of each {~worker|worker} take more "
				"than %" PRIu64 " MiB in all; use fewer steps or workers",
				s->n, BYTES_MOST >> 20);
	}
	return 0;
}
