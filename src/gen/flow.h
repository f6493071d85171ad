/* flow.h: how far a job may be ahead of the others of its flow. Pure. */
#ifndef FLOW_H
#define FLOW_H

#include <stdint.h>

#define FLOW_WEIGHT_MAX 1000u

struct flow_cfg {
	uint32_t weight; /* 0: the job belongs to no flow */
	uint32_t id;
	uint64_t sleep_ns; /* a job that is held looks again after this time; 0: another job wakes it */
};

/* Returns how many I/Os the share of a job is when a job of another weight has issued `ios`. */
static inline uint64_t flow_share(uint32_t weight, uint64_t ios, uint32_t other)
{
	return ios / other * weight + ios % other * weight / other;
}

/* Returns how many I/Os in all such a job allows: the share, and `lead` (the queue depth) more.

   In a flow, the job with the fewest I/Os for its weight may always issue one more, so the jobs never all
   wait for each other. */
static inline uint64_t flow_allowed(uint32_t weight, uint32_t lead, uint64_t ios, uint32_t other)
{
	return flow_share(weight, ios, other) + lead;
}

/* Returns how many I/Os in all must be allowed before a held job that has issued `ios` wakes up: several
   more, so that it does not wake up for each single I/O. The count is at most ios + lead, so that the job
   with the fewest I/Os for its weight is never held. */
static inline uint64_t flow_wanted(uint64_t ios, uint32_t lead)
{
	return ios + 1 + (lead - 1) / 2;
}

#endif
