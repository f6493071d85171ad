#include "pace.h"

#define NS_PER_S 1000000000u

/* No overflow: 2^32 times 10^9 is below 2^62. */
static void set_step(struct pacer *p, uint64_t amount)
{
	p->step_ns = amount * NS_PER_S / p->rate;
	p->step_rem = amount * NS_PER_S % p->rate;
}

void pacer_step(struct pacer *p, uint32_t bytes)
{
	p->step_bytes = bytes;
	set_step(p, bytes);
}

bool pacer_init(struct pacer *p, const struct pace_cfg *cfg, enum io_dir dir)
{
	p->by_bytes = cfg->rate_iops[dir] == 0;
	p->rate = p->by_bytes ? cfg->rate[dir] : cfg->rate_iops[dir];
	if (p->rate == 0)
		return false;
	p->step_bytes = 0;
	set_step(p, p->by_bytes ? 0 : 1);
	pacer_restart(p);
	return true;
}

uint64_t pacer_overdue(const struct pacer *p, uint64_t rel_ns, uint32_t bytes)
{
	__extension__ typedef unsigned __int128 u128;
	uint64_t late = rel_ns > p->due_ns ? rel_ns - p->due_ns : 0;
	u128 amount = (u128)late * p->rate, each = (u128)NS_PER_S * (p->by_bytes ? bytes : 1);

	return late && each ? (uint64_t)((amount + each - 1) / each) : 0;
}

void pacer_restart(struct pacer *p)
{
	p->taken = p->due_ns = p->rem = 0;
}
