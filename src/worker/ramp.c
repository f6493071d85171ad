/* ramp.c: a ramp by amount (ramp_size). */
#include "clone.h"
#include "quota.h"
#include "ramp.h"

static uint64_t issued_by_group(const struct clone *c, const struct quota *q)
{
	const uint32_t *member;
	uint32_t n = plan_members(c->plan, c->job->report, &member);
	uint64_t sum = q->issued_bytes;

	for (uint32_t i = 0; i < n; i++)
		if (member[i] != c->job->index)
			sum += atomic_load_explicit(&region_slot(c->region, member[i])->issued_bytes,
						    memory_order_relaxed);
	return sum;
}

bool ramp_complete(const struct clone *c, const struct quota *q)
{
	return issued_by_group(c, q) > c->opts->time.ramp_bytes;
}
