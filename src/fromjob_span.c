/* fromjob_span.c: the options of a section that are about all of a time span. */
#include <stdlib.h>
#include <string.h>
#include "fromjob.h"
#include "strbuf.h"

#define NS_PER_S 1000000000ull

static unsigned seconds(const struct section *s, const char *name, uint64_t ns)
{
	if (ns % NS_PER_S)
		fromjob_lose(s, "%s: whole seconds only, the next ones here", name);
	return ns / NS_PER_S >= UINT32_MAX ? UINT32_MAX : (unsigned)((ns + NS_PER_S - 1) / NS_PER_S);
}

/* Of several jobs the longest time counts. */
static void time_of(const struct section *s, const char *name, uint64_t ns, bool first, unsigned *have)
{
	unsigned v = seconds(s, name, ns);

	if (!first && v != *have)
		fromjob_lose(s, "%s: a time span has one, the longest of its jobs' here", name);
	if (first || v > *have)
		*have = v;
}

static bool is_first(const struct section *s)
{
	return s->f->first == s->job;
}

static void times(const struct section *s)
{
	bool first = is_first(s);
	const struct time_cfg *c = &s->o->time;
	struct ds_span *to = s->span;

	if (s->o->time.ramp_only)
		to->duration_s = 0;
	else if (c->runtime_ns)
		time_of(s, "runtime", c->runtime_ns, !s->f->timed, &to->duration_s);
	else
		fromjob_lose(
			s, "the end of the job when its data is done: DISKSPD goes on for a time, -d%u here",
			to->duration_s);
	if (c->runtime_ns && !c->time_based)
		fromjob_differs(s, "the end before runtime when its data is done (no time_based)");
	s->f->timed |= c->runtime_ns != 0;
	time_of(s, "ramp_time", c->ramp_ns, first, &to->warmup_s);
	time_of(s, "cooldown", s->o->time.cooldown_ns, first, &to->cooldown_s);
}

static void seed(const struct section *s)
{
	const struct offset_cfg *c = &s->o->offset;

	if (is_first(s)) {
		s->span->seed_clock = !c->randrepeat;
		s->span->seed = job_given(s->job, "randseed") && c->randrepeat ? c->randseed : 0;
	} else if (job_given(s->job, "randseed") && c->randseed != s->span->seed) {
		fromjob_lose(s, "randseed: a time span has one, that of its first job here");
	}
}

static void push_cpu(struct ds_cpu *v, size_t *n, unsigned cpu)
{
	v[(*n)++] = (struct ds_cpu){ .group = cpu / 64, .cpu = cpu % 64 };
}

static void pin_set(const struct section *s, const struct cpuset *set)
{
	struct ds_span *to = s->span;

	to->cpu = arena_array(&s->f->p->mem, cpuset_count(set), sizeof(*to->cpu));
	s->f->no_memory |= !to->cpu;
	for (unsigned i = 0; to->cpu && i < CPUSET_MAX; i++)
		if (cpuset_has(set, i))
			push_cpu(to->cpu, &to->cpus, i);
	if (s->o->place.policy == CPUS_SHARED)
		fromjob_lose(s, "cpus_allowed_policy=shared: threads are pinned to one processor each");
}

static void pin_list(const struct section *s, const char *list)
{
	struct ds_span *to = s->span;

	to->cpu = arena_array(&s->f->p->mem, strlen(list) + 1, sizeof(*to->cpu));
	s->f->no_memory |= !to->cpu;
	while (to->cpu && *list) {
		char *end;

		push_cpu(to->cpu, &to->cpus, (unsigned)strtoul(list, &end, 10));
		list = end + strspn(end, ", ");
		if (end == list && *list)
			break;
	}
}

/* All of them in turn is what happens anyway. */
static bool is_default(const struct fromjob *f, const struct ds_span *span)
{
	if (!f->cpus || span->cpus != cpuset_count(f->cpus))
		return false;
	for (size_t i = 0; i < span->cpus; i++)
		if (cpuset_nth(f->cpus, (unsigned)i) != (int)(span->cpu[i].group * 64 + span->cpu[i].cpu))
			return false;
	return true;
}

static void processors(const struct section *s)
{
	const struct place_cfg *c = &s->o->place;
	const struct native_cfg *n = &s->o->native;

	if (!is_first(s)) {
		if (memcmp(&c->cpus, &s->f->first->opts.place.cpus, sizeof(c->cpus)))
			fromjob_lose(s, "cpus_allowed: a time span has one, that of its first job here");
		return;
	}
	if (n->cpu_order && strlen(n->cpu_order) < sizeof(s->span->traversal))
		strcpy(s->span->traversal, n->cpu_order);
	if (n->cpu_list)
		pin_list(s, n->cpu_list);
	else if (cpuset_count(&c->cpus))
		pin_set(s, &c->cpus);
	else
		s->span->no_affinity = !n->cpu_order;
	if (is_default(s->f, s->span))
		s->span->cpus = 0;
}

static void measures(const struct section *s)
{
	const struct report_cfg *c = &s->o->report;

	if (!c->no_lat && (c->slat_percentiles || c->clat_percentiles || c->lat_percentiles))
		s->span->latency = true;
	if (!job_given(s->job, "iopsavgtime"))
		return;
	s->span->iops_stats = true;
	s->span->bucket_ms = c->iops_avg_ms;
}

/* io_uring with its buffers registered, or expressly not, is what -u is nearest to. */
static void ring(const struct section *s)
{
	const struct opt_given *fixed = job_given(s->job, "fixedbufs");
	unsigned depth = s->o->queue.iodepth, quarter = depth / 4 ? depth / 4 : 1;

	if (strcmp(s->job->engine->name, "io_uring") || !fixed)
		return;
	s->span->io_ring = true;
	s->span->io_ring_unregistered = fixed->text && !strcmp(fixed->text, "0");
	if (s->o->queue.batch && s->o->queue.batch != quarter)
		s->span->io_ring_batch = s->o->queue.batch;
}

static void queue(const struct section *s)
{
	uint32_t max = s->o->queue.complete_max;

	if (!job_given(s->job, "iodepth_batch_complete_max") || !max || s->job->engine->caps & ENG_SYNC)
		return;
	s->span->completion_depth_given = true;
	s->span->completion_depth = max > 16 ? 16 : max;
	if (max > 16)
		fromjob_lose(s, "iodepth_batch_complete_max: -oc takes at most 16");
}

void fromjob_span(const struct section *s)
{
	times(s);
	seed(s);
	processors(s);
	measures(s);
	ring(s);
	queue(s);
}
