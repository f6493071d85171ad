#include "collect_parts.h"

#include "placement.h"

/* Adds the writes of a worker with the id at this position; writes without an id are at the last position. */
static void add_placed(struct result *r, struct result_job *job, const struct plan_job *pj, uint32_t at,
		       const struct region_placement *count)
{
	static const char *const kinds[] = { [PLACEMENT_FDP] = "fdp", [PLACEMENT_STREAMS] = "streams" };
	const struct placement_set *s = pj->placement;
	const char *kind = kinds[pj->job->opts.placement.kind];

	result_job_placement_kind(r, job, kind);
	if (at == s->n) {
		job->placement.unplaced_ios += count->ios;
		job->placement.unplaced_bytes += count->bytes;
		return;
	}
	result_job_placed(r, job, &(struct result_placed){ kind, s->plid[at], count->ios, count->bytes });
}

void collect_placement(struct result *r, struct result_job *job, const struct run *run, uint32_t report)
{
	const uint32_t *member;
	uint32_t members = plan_members(run->plan, report, &member);

	for (uint32_t i = 0; i < members; i++) {
		const struct plan_job *pj = &run->plan->jobs[member[i]];
		const struct region_placement *counts;

		if (!pj->placement)
			continue;
		counts = slot_part(run_slot(run, member[i]), pj, SLOT_PLACEMENT);
		for (uint32_t at = 0; at <= pj->placement->n; at++)
			add_placed(r, job, pj, at, &counts[at]);
	}
}
