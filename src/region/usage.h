/* usage.h: CPU time, context switches, page faults and reads of storage between two calls of getrusage(). */
#ifndef USAGE_H
#define USAGE_H

#include <sys/resource.h>
#include "wstat.h"

static inline uint64_t usage_us(const struct timeval *end, const struct timeval *start)
{
	int64_t us = (int64_t)((end->tv_sec - start->tv_sec) * 1000000 + (end->tv_usec - start->tv_usec));

	return us > 0 ? (uint64_t)us : 0;
}

static inline void usage_since(struct wcount *c, const struct rusage *start, const struct rusage *end)
{
	c->user_us = usage_us(&end->ru_utime, &start->ru_utime);
	c->sys_us = usage_us(&end->ru_stime, &start->ru_stime);
	c->preempted = (uint64_t)(end->ru_nivcsw - start->ru_nivcsw);
	c->ctx = (uint64_t)(end->ru_nvcsw - start->ru_nvcsw) + c->preempted;
	c->majf = (uint64_t)end->ru_majflt; /* since the process started, as in /proc */
	c->minf = (uint64_t)end->ru_minflt;
	c->storage_read_bytes = (uint64_t)(end->ru_inblock - start->ru_inblock) * 512;
}

#endif
