/* ramp.c: a ramp by amount (ramp_size). It counts the bytes of all jobs that are reported as one group. */
#include "ramp.h"
#include "worker.h"

static uint64_t issued_by_group(const struct worker *w)
{
	const uint32_t *member;
	uint32_t n = plan_members(w->clone.plan, w->clone.job->report, &member);
	uint64_t sum = w->quota.issued_bytes;

	for (uint32_t i = 0; i < n; i++)
		if (member[i] != w->clone.job->index)
			sum += atomic_load_explicit(&region_slot(w->clone.region, member[i])->issued_bytes,
						    memory_order_relaxed);
	return sum;
}

bool ramp_reached(const struct worker *w)
{
	return issued_by_group(w) > w->clone.opts->time.ramp_bytes;
}
