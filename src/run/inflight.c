#include "inflight.h"

#include <stdlib.h>
#include "clock.h"
#include "io.h"
#include "run.h"

/* An I/O that is just being submitted has no time stamp of its own yet. */
static uint64_t start_ns(const struct slot *s, const struct io *io)
{
	return io->start_ns ? io->start_ns : atomic_load_explicit(&s->submit_ns, memory_order_relaxed);
}

static int older_first(const void *a, const void *b)
{
	const struct inflight *x = a, *y = b;

	return x->age_ns < y->age_ns ? 1 : x->age_ns > y->age_ns ? -1 : 0;
}

static struct inflight describe_io(const struct plan *p, const struct plan_job *pj, const struct slot *s,
				   const struct io *io, uint64_t end)
{
	uint64_t start = start_ns(s, io);

	return (struct inflight){
		.op = io_op_name(io->op),
		.path = io->target < pj->nfiles ? p->targets[pj->files[io->target].target].path : "?",
		.offset = io->offset,
		.length = io->len,
		.age_ns = start && end > start ? end - start : 0,
	};
}

uint32_t inflight_list(const struct run *r, uint32_t job, struct inflight *out, uint32_t max)
{
	const struct plan_job *pj = &r->plan->jobs[job];
	struct slot *s = run_slot(r, job);
	const struct io *ios = slot_ios(s, &pj->layout);
	uint64_t end = r->job[job].end_ns ? r->job[job].end_ns : clock_ns();
	uint32_t n = 0, listed;

	if (!s->lost_reason[0])
		return 0;
	for (uint32_t i = 0; i < pj->depth; i++) {
		if (ios[i].res != IO_IN_ENGINE)
			continue;
		if (n < max)
			out[n] = describe_io(r->plan, pj, s, &ios[i], end);
		n++;
	}
	listed = n < max ? n : max;
	if (listed)
		qsort(out, listed, sizeof(*out), older_first);
	return n;
}

uint32_t inflight_count(const struct run *r, uint32_t job, uint64_t *oldest_ns)
{
	const struct plan_job *pj = &r->plan->jobs[job];
	struct slot *s = run_slot(r, job);
	const volatile struct io *ios = slot_ios(s, &pj->layout);
	uint32_t n = 0;

	*oldest_ns = 0;
	for (uint32_t i = 0; i < pj->depth; i++) {
		uint64_t start;

		if (ios[i].res != IO_IN_ENGINE)
			continue;
		start = ios[i].start_ns ? ios[i].start_ns
					: atomic_load_explicit(&s->submit_ns, memory_order_relaxed);
		if (!*oldest_ns || start < *oldest_ns)
			*oldest_ns = start;
		n++;
	}
	return n;
}
