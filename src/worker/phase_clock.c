#include "window.h"

void phase_clock_set_deadline(struct phase_clock *k, const struct time_cfg *t, bool cut, uint64_t ramp_end)
{
	k->ramp_end_ns = ramp_end;
	k->deadline_ns = k->measure_end_ns = UINT64_MAX;
	if (ramp_end == UINT64_MAX || (!t->runtime_ns && !t->ramp_only))
		return;
	k->deadline_ns = ramp_end + t->runtime_ns + t->cooldown_ns;
	if (window_has_cooldown(t) || cut)
		k->measure_end_ns = ramp_end + t->runtime_ns;
}
