#include "collect_parts.h"

const struct wstat_layout *collect_prio_layout(const struct plan *p, uint32_t report)
{
	const uint32_t *member;
	uint32_t n = plan_members(p, report, &member);

	for (uint32_t i = 0; i < n; i++) {
		if (p->jobs[member[i]].layout.nprio)
			return &p->jobs[member[i]].layout;
	}
	return NULL;
}
