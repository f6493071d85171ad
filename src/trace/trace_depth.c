#include "trace_depth.h"

#include <errno.h>
#include <stdlib.h>
#include "vec.h"

static void advance_to(struct trace_depth *t, uint64_t time_ns)
{
	if (t->saw_issued)
		t->area_ns += (double)t->now * (double)(time_ns - t->last_ns);
	t->last_ns = time_ns;
}

static void issue_request(struct trace_depth *t, uint64_t time_ns)
{
	advance_to(t, time_ns);
	if (!t->saw_issued)
		t->first_ns = time_ns;
	t->saw_issued = true;
	t->now++;
	t->max = t->now > t->max ? t->now : t->max;
}

/* The first requests that complete may have been issued before the trace began. */
static void complete_request(struct trace_depth *t, uint64_t time_ns)
{
	advance_to(t, time_ns);
	if (t->now)
		t->now--;
}

/* ---- latencies ---- */

static int add_end(struct trace_depth *t, uint64_t end_ns)
{
	size_t i = t->ends;

	if (!VEC_ADD(t->end, t->ends, t->room, end_ns))
		return -ENOMEM;
	for (; i && end_ns < t->end[(i - 1) / 2]; i = (i - 1) / 2)
		t->end[i] = t->end[(i - 1) / 2];
	t->end[i] = end_ns;
	return 0;
}

static void drop_first_end(struct trace_depth *t)
{
	uint64_t last = t->end[--t->ends];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < t->ends) {
		if (child + 1 < t->ends && t->end[child + 1] < t->end[child])
			child++;
		if (last <= t->end[child])
			break;
		t->end[i] = t->end[child];
		i = child;
	}
	t->end[i] = last;
}

static void complete_until(struct trace_depth *t, uint64_t time_ns)
{
	for (; t->ends && t->end[0] <= time_ns; drop_first_end(t))
		complete_request(t, t->end[0]);
}

static int add_with_latency(struct trace_depth *t, const struct trace_event *e)
{
	uint64_t end_ns;

	complete_until(t, e->time_ns);
	t->too_deep |= t->ends == TRACE_DEPTH_MAX;
	if (t->too_deep)
		return 0;
	issue_request(t, e->time_ns);
	t->saw_completed = true;
	return add_end(t, __builtin_add_overflow(e->time_ns, e->latency_ns, &end_ns) ? UINT64_MAX : end_ns);
}

int trace_depth_add(struct trace_depth *t, const struct trace_event *e, bool latency)
{
	if (latency)
		return add_with_latency(t, e);
	if (e->stage == TRACE_ISSUED) {
		issue_request(t, e->time_ns);
	} else if (e->stage != TRACE_QUEUED) {
		complete_request(t, e->time_ns);
		t->saw_completed |= e->stage == TRACE_COMPLETED;
	}
	return 0;
}

void trace_depth_finish(struct trace_depth *t)
{
	complete_until(t, UINT64_MAX);
}

void trace_depth_fini(struct trace_depth *t)
{
	free(t->end);
	*t = (struct trace_depth){ 0 };
}

bool trace_depth_known(const struct trace_depth *t)
{
	return t->saw_issued && t->saw_completed && !t->too_deep;
}

double trace_depth_mean(const struct trace_depth *t)
{
	return t->last_ns > t->first_ns ? t->area_ns / (double)(t->last_ns - t->first_ns) : 0;
}
