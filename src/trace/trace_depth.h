/* trace_depth.h: how many requests are between issue and completion, over time. Events tell it by their
   stages, or by their latencies. Pure; memory is bounded by TRACE_DEPTH_MAX. */
#ifndef TRACE_DEPTH_H
#define TRACE_DEPTH_H

#include "trace.h"

#define TRACE_DEPTH_MAX ((size_t)1 << 16) /* requests in flight whose ends are kept: 512 KiB */

/* Zeroed memory is ready to be used. */
struct trace_depth {
	uint64_t now, max;          /* requests in flight */
	uint64_t first_ns, last_ns; /* the first issue, and the last change */
	double area_ns;             /* the sum of requests in flight times duration in ns */
	bool saw_issued, saw_completed, too_deep;
	uint64_t *end; /* owned; a heap: when the requests in flight complete, if latencies tell it */
	size_t ends, room;
};

/* Adds an event, in order of time. latency: the events have one. Returns 0 or -ENOMEM. */
int trace_depth_add(struct trace_depth *t, const struct trace_event *e, bool latency);
/* Lets the requests in flight complete, if their ends are known. */
void trace_depth_finish(struct trace_depth *t);
void trace_depth_fini(struct trace_depth *t);
/* Returns false if the trace does not tell the depth, or has more than TRACE_DEPTH_MAX in flight. */
bool trace_depth_known(const struct trace_depth *t);
/* The mean from the first issue to the last completion. */
double trace_depth_mean(const struct trace_depth *t);

#endif
