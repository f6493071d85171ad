#include "pace.h"

#include <string.h>
#include "scale.h"

#define NS_PER_MS 1000000u

bool rate_min_wanted(const struct rate_min_cfg *c)
{
	for (unsigned d = 0; d < DIR_DATA; d++) {
		if (c->rate[d] || c->iops[d])
			return true;
	}
	return false;
}

void rate_min_start(struct rate_min *f)
{
	*f = (struct rate_min){ .from_ns = UINT64_MAX, .until_ns = RATE_MIN_SETTLE_NS };
}

static bool is_met(const struct rate_min *f, uint64_t least, uint64_t amount, uint64_t now_ns,
		   struct rate_min_miss *miss)
{
	miss->required = least;
	miss->reached = scale(amount, SCALE_NS, now_ns - f->from_ns);
	return miss->reached >= least;
}

bool rate_min_check(struct rate_min *f, const struct rate_min_cfg *c, uint64_t now_ns,
		    const uint64_t bytes[DIR_DATA], const uint64_t ios[DIR_DATA], struct rate_min_miss *miss)
{
	uint64_t cycle_ns = (uint64_t)c->cycle_ms * NS_PER_MS;
	bool met = true;

	*miss = (struct rate_min_miss){ .from_ns = f->from_ns, .to_ns = now_ns };
	for (unsigned d = 0; d < DIR_DATA && met && f->from_ns < now_ns; d++) {
		miss->dir = (enum io_dir)d;
		miss->iops = false;
		met = !c->rate[d] || is_met(f, c->rate[d], bytes[d] - f->bytes[d], now_ns, miss);
		if (!met || !c->iops[d])
			continue;
		miss->iops = true;
		met = is_met(f, c->iops[d], ios[d] - f->ios[d], now_ns, miss);
	}
	f->from_ns = now_ns;
	f->until_ns += cycle_ns;
	if (f->until_ns <= now_ns)
		f->until_ns = now_ns + cycle_ns;
	memcpy(f->bytes, bytes, sizeof(f->bytes));
	memcpy(f->ios, ios, sizeof(f->ios));
	return met;
}
