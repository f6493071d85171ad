/* fromjob_span.c: translates options of a section to those that a time span has once. */
#include <string.h>
#include "fromjob_section.h"
#include "rows.h"
#include "strbuf.h"

#define NS_PER_S 1000000000ull

static unsigned seconds(const struct section *s, const char *name, uint64_t ns)
{
	if (ns % NS_PER_S)
		fromjob_drop(s, "%s: DISKSPD has whole seconds, so it is rounded up", name);
	return ns / NS_PER_S >= UINT32_MAX ? UINT32_MAX : (unsigned)((ns + NS_PER_S - 1) / NS_PER_S);
}

/* Sets a time of the span. The longest time of several jobs counts. */
static void time_of(const struct section *s, const char *name, uint64_t ns, bool first, unsigned *have)
{
	unsigned v = seconds(s, name, ns);

	if (!first && v != *have)
		fromjob_drop(s, "%s: a time span has only one; the longest of its jobs counts", name);
	if (first || v > *have)
		*have = v;
}

static bool is_first(const struct section *s)
{
	return s->f->first_job == s->job;
}

static void times(const struct section *s)
{
	bool first = is_first(s);
	const struct time_cfg *c = &s->o->time;
	struct ds_span *to = s->span;

	if (s->o->time.ramp_only)
		to->duration_s = 0;
	else if (c->runtime_ns)
		time_of(s, "runtime", c->runtime_ns, !s->f->has_runtime, &to->duration_s);
	else
		fromjob_drop(
			s,
			"the end of the job when its data is done: DISKSPD runs for a fixed time, here -d%u",
			to->duration_s);
	if (c->runtime_ns && !c->time_based)
		fromjob_note(s, "the end before runtime when its data is done (no time_based)");
	s->f->has_runtime |= c->runtime_ns != 0;
	time_of(s, "ramp_time", c->ramp_ns, first, &to->warmup_s);
	time_of(s, "cooldown", s->o->time.cooldown_ns, first, &to->cooldown_s);
}

static void push_cpu(struct ds_span *to, unsigned cpu)
{
	to->cpus[to->ncpus++] = (struct ds_cpu){ .group = cpu / 64, .cpu = cpu % 64 };
}

static void pin_set(const struct section *s, const struct cpuset *set, struct ds_span *to)
{
	to->cpus = arena_array(&s->f->profile->mem, cpuset_count(set), sizeof(*to->cpus));
	s->f->no_memory |= !to->cpus;
	for (unsigned i = 0; to->cpus && i < CPUSET_MAX; i++)
		if (cpuset_has(set, i))
			push_cpu(to, i);
	if (s->o->place.policy == CPUS_SHARED)
		fromjob_drop(s, "cpus_allowed_policy=shared: DISKSPD pins each thread to one processor");
}

/* A list may repeat CPUs, one for each of many threads. */
static void pin_list(const struct section *s, const char *list, struct ds_span *to)
{
	uint32_t n = cpu_list_count(list), max = 4096;

	if (n > max)
		fromjob_drop(s, "cpu_list: only the first %u CPUs are used", max);
	n = n < max ? n : max;
	to->cpus = arena_array(&s->f->profile->mem, n, sizeof(*to->cpus));
	s->f->no_memory |= !to->cpus;
	for (uint32_t i = 0; to->cpus && i < n; i++)
		push_cpu(to, cpu_list_nth(list, i));
}

/* Returns true if the span uses all CPUs in turn, as DISKSPD does by default. */
static bool is_default(const struct fromjob *f, const struct ds_span *span)
{
	if (!f->cpus || span->ncpus != cpuset_count(f->cpus))
		return false;
	for (size_t i = 0; i < span->ncpus; i++)
		if (cpuset_nth(f->cpus, (unsigned)i) != (int)(span->cpus[i].group * 64 + span->cpus[i].cpu))
			return false;
	return true;
}

/* ---- each section becomes a span of its own, which is compared with that of the first section ---- */

static void processors(const struct section *s, struct ds_span *to)
{
	const struct place_cfg *c = &s->o->place;

	if (c->cpu_order && strlen(c->cpu_order) < sizeof(to->traversal))
		strcpy(to->traversal, c->cpu_order);
	if (c->cpu_list)
		pin_list(s, c->cpu_list, to);
	else if (cpuset_count(&c->cpus))
		pin_set(s, &c->cpus, to);
	else
		to->no_affinity = !c->cpu_order;
	if (is_default(s->f, to))
		to->ncpus = 0;
}

static void seed(const struct section *s, struct ds_span *to)
{
	const struct offset_cfg *c = &s->o->offset;

	to->seed_clock = !c->randrepeat;
	to->seed = job_user_option(s->job, "randseed") && c->randrepeat ? c->randseed : 0;
}

static void measures(const struct section *s, struct ds_span *to)
{
	const struct report_cfg *c = &s->o->report;

	to->latency = !c->no_lat && (c->slat_percentiles || c->clat_percentiles || c->lat_percentiles);
	to->iops_stats = job_user_option(s->job, "iopsavgtime");
	if (to->iops_stats)
		to->bucket_ms = c->iops_avg_ms;
}

/* -u is nearest to an engine with a ring and explicit fixedbufs. */
static void ring(const struct section *s, struct ds_span *to)
{
	const struct user_option *fixed = job_user_option(s->job, "fixedbufs");
	unsigned depth = s->o->queue.iodepth, quarter = depth / 4 ? depth / 4 : 1;

	if (!(s->job->engine->caps & ENG_RING) || !fixed) {
		if (s->o->queue.batch > 1)
			fromjob_drop(s, "iodepth_batch=%u: DISKSPD submits batches only with -u",
				     s->o->queue.batch);
		return;
	}
	to->io_ring = true;
	to->io_ring_unregistered = fixed->text && !strcmp(fixed->text, "0");
	if (s->o->queue.batch && s->o->queue.batch != quarter)
		to->io_ring_batch = s->o->queue.batch;
}

static void completions(const struct section *s, struct ds_span *to)
{
	uint32_t max = s->o->queue.complete_max, depth = s->o->queue.iodepth;

	if (!job_user_option(s->job, "iodepth_batch_complete_max") || !max || s->job->engine->caps & ENG_SYNC)
		return;
	if (to->io_ring && max == (depth < 16 ? depth : 16))
		return; /* -u reaps so many by default */
	to->completion_depth_given = true;
	to->completion_depth = max > 16 ? 16 : max;
	if (max > 16)
		fromjob_drop(s, "iodepth_batch_complete_max: -oc is at most 16");
}

static bool same_cpus(const struct ds_span *a, const struct ds_span *b)
{
	bool same = a->ncpus == b->ncpus && a->no_affinity == b->no_affinity;

	for (size_t i = 0; same && i < a->ncpus; i++)
		same = a->cpus[i].group == b->cpus[i].group && a->cpus[i].cpu == b->cpus[i].cpu;
	return same;
}

static void drop_for_first(const struct section *s, const char *name)
{
	fromjob_drop(s, "%s: a time span has only one; that of its first job counts", name);
}

static void compare(const struct section *s, const struct ds_span *own)
{
	const struct ds_span *have = s->span;
	bool listed = s->o->place.cpu_list || s->f->first_job->opts.place.cpu_list;
	bool waits = s->job->engine->caps & ENG_SYNC || s->o->queue.iodepth < 2;

	if (strcmp(have->traversal, own->traversal))
		drop_for_first(s, "cpu_order");
	else if (!same_cpus(have, own))
		drop_for_first(s, listed ? "cpu_list" : "cpus_allowed");
	if (have->seed != own->seed || have->seed_clock != own->seed_clock)
		drop_for_first(s, have->seed_clock != own->seed_clock ? "randrepeat" : "randseed");
	if (have->io_ring != own->io_ring)
		fromjob_drop(s, "ioengine=%s: -u is for all threads of a time span or for none, here for %s",
			     s->job->engine->name, have->io_ring ? "all" : "none");
	else if (have->io_ring_unregistered != own->io_ring_unregistered)
		drop_for_first(s, "fixedbufs");
	else if (have->io_ring_batch != own->io_ring_batch)
		drop_for_first(s, "iodepth_batch");
	if (!waits && have->completion_depth != own->completion_depth)
		drop_for_first(s, "iodepth_batch_complete_max");
}

/* Adds the measurements of a job to those of the span, which are for all of its jobs. */
static void measure_more(const struct section *s, const struct ds_span *own)
{
	struct ds_span *to = s->span;

	if (to->latency != own->latency)
		fromjob_drop(
			s, "latencies: DISKSPD measures them for all jobs of a time span (-L), or for none");
	to->latency |= own->latency;
	if (to->iops_stats != own->iops_stats)
		fromjob_drop(s, "iopsavgtime: for all jobs of a time span (-D), or for none");
	else if (to->bucket_ms != own->bucket_ms)
		drop_for_first(s, "iopsavgtime");
	if (!to->iops_stats)
		to->bucket_ms = own->bucket_ms;
	to->iops_stats |= own->iops_stats;
}

static void fill_span(const struct section *s, struct ds_span *to)
{
	processors(s, to);
	seed(s, to);
	measures(s, to);
	ring(s, to);
	completions(s, to);
}

void fromjob_span(const struct section *s)
{
	struct ds_span own;

	times(s);
	ds_span_init(&own);
	if (is_first(s)) {
		fill_span(s, s->span);
	} else {
		fill_span(s, &own);
		compare(s, &own);
		measure_more(s, &own);
	}
}
