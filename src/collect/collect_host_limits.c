#include "collect_parts.h"

#include <inttypes.h>
#include "collect.h"
#include "cpuidle.h"
#include "strbuf.h"

/* From this percentage of stolen CPU time on, the result gets a note. */
#define STOLEN_PERCENT 2

/* Returns true if the worker waited for a rate, a flow or think time: its CPU time may have gone into
 * waiting. */
static bool meets_rate(const struct plan_job *pj, const struct wcount *c, uint64_t ios)
{
	const struct job_opts *o = &pj->job->opts;
	uint64_t unissued = 0;
	bool rated = false;

	for (unsigned d = 0; d < DIR_DATA; d++) {
		rated |= pj->rw & 1u << d && pace_has_rate(&o->pace, d);
		unissued += c->unissued[d];
	}
	if (think_wanted(&o->think) || o->flow.weight ||
	    (c->due_waits_idle + c->due_waits_engine) * 100 > ios)
		return true;
	return rated && unissued * 100 <= ios;
}

/* Returns true if the job polls for completions instead of sleeping. */
static bool polls(const struct job *job)
{
	return !job->opts.queue.complete_min || job_user_option(job, "hipri") ||
	       job_user_option(job, "sqthread_poll");
}

static bool does_only_io(const struct plan_job *pj, const struct wcount *c)
{
	const struct job *job = pj->job;

	return !(job->engine->caps & ENG_NOIO) && !job->opts.queue.offload && !polls(job) &&
	       !meets_rate(pj, c, c->cpu_ios);
}

void collect_busy(struct busy *b, const struct plan_job *pj, const struct snapshot *one)
{
	const struct wcount *c = &one->cnt;

	busy_add(b, &(struct busy_worker){
			    .ran_ns = c->job_runtime_ns,
			    .ios = c->cpu_ios,
			    .user_ns = c->user_us * 1000,
			    .sys_ns = c->sys_us * 1000,
			    .core_wait_ns = c->core_wait_ns,
			    .switches = c->ctx,
			    .io_only = does_only_io(pj, c),
		    });
}

void collect_busy_notes(struct section_busy *sections, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct strbuf message = { 0 };

		if (sections[i].first && busy_message(&sections[i].busy, &message))
			notes_add_message(&sections[i].first->notes, strbuf_str(&message));
		strbuf_fini(&message);
	}
}

void collect_rate_sleeps(struct result_job *rj, const struct plan_job *pj, const struct wcount *total)
{
	if (total->rate_sleeps * 10 > total->due_waits_idle + total->due_waits_engine &&
	    pj->job->opts.pace.wait == PACE_AUTO)
		result_job_note(rj,
				"{?{+rate_wait=auto}: }the rate is so high that waiting for each I/O "
				"would take a whole core; the job slept for 25 us or more and then issued "
				"all I/Os that were due, and resp includes this "
				"delay{?; {+rate_wait=exact} issues each I/O on time}");
}

/* Less lateness does not count as falling behind. */
#define BEHIND_NS 10000000u

void collect_lateness(struct result_job *rj, const struct wcount *total)
{
	uint64_t mean[WSTAT_LATE_PARTS];

	for (unsigned i = 0; i < WSTAT_LATE_PARTS; i++) {
		mean[i] = total->late_part[i] ? total->late_part_ns[i] / total->late_part[i] : 0;
		if (i && (!total->late_part[i] || mean[i] / 5 * 4 < mean[i - 1]))
			return;
	}
	if (mean[WSTAT_LATE_PARTS - 1] < BEHIND_NS)
		return;
	result_job_note(rj,
			"the replay fell further and further behind: on average the I/Os of the first "
			"quarter of the trace were issued %.3f ms late, those of the last %.3f ms. The "
			"target is slower than the device of the trace, or the trace needs a larger "
			"{iodepth}; a smaller {replay_time_scale} slows the replay down",
			(double)mean[0] / 1e6, (double)mean[WSTAT_LATE_PARTS - 1] / 1e6);
}

/* A smaller part of the CPU time is not worth a note. */
#define DIVIDED_PERCENT 5

void collect_divided_time(struct result_job *rj, const struct wcount *total)
{
	uint64_t all_us = total->user_us + total->sys_us;

	if (total->divided_us * 100 > all_us * DIVIDED_PERCENT)
		result_job_note(rj,
				"%.2f of the %.2f s of CPU time are the job's share of threads that did I/Os "
				"of several jobs, divided by the numbers of their I/Os",
				(double)total->divided_us / 1e6, (double)all_us / 1e6);
}

/* A shorter response time does not count as a stall. */
#define STALL_NS 100000000u

void collect_stall(struct result_job *rj)
{
	for (unsigned i = 0; i < DIR_DATA; i++) {
		const struct summary_dir *d = &rj->sum.dir[i];
		uint64_t resp = d->lat[LAT_RESP].max, lat = d->lat[LAT_LAT].max;

		if (d->unissued || d->in_flight_at_end || !d->lat[LAT_LAT].n || resp < STALL_NS ||
		    resp / 10 < lat)
			continue;
		result_job_note(
			rj,
			"I/Os were due for up to %.3f s before they were issued, while the longest I/O took "
			"%.3f ms: a {~worker|worker} was stopped or had no core; resp includes this delay",
			(double)(resp - lat) / 1e9, (double)lat / 1e6);
		return;
	}
}

void collect_unfinished(struct result_job *rj)
{
	static const char *const name[DIR_DATA] = { "reads", "writes", "trims" };

	for (unsigned i = 0; i < DIR_DATA; i++) {
		const struct summary_dir *d = &rj->sum.dir[i];
		uint64_t unfinished = d->unissued + d->in_flight_at_end, due = summary_due(d);

		if (unfinished <= due / 100)
			continue;
		result_job_note(rj,
				"%" PRIu64 " of %" PRIu64
				" %s that were due were not complete at the end (%.1f %%); resp includes "
				"the age that each of them had reached, so its upper percentiles are lower "
				"bounds",
				unfinished, due, rj->mixed ? "I/Os" : name[i],
				100.0 * (double)unfinished / (double)due);
	}
}

void collect_cpu_throttle_notes(struct result *r, const struct cpu_throttle *from)
{
	struct cpu_throttle now, since;

	if (!from->ticks || r->as_fio)
		return;
	cpu_throttle_read(&now);
	since = cpu_throttle_since(from, &now);
	if (since.throttled)
		result_note(r,
			    "the CPU quota of the control group (cpu.max) throttled the run %" PRIu64
			    " times, %.3f s in total: the quota limits the figures",
			    since.throttled, (double)since.throttled_us / 1e6);
	if (cpu_throttle_steal_percent(&since) >= STOLEN_PERCENT)
		result_note(r,
			    "the host of this virtual machine gave %.1f %% of its CPU time to others "
			    "(steal): rates may be lower and latencies longer than without other load",
			    cpu_throttle_steal_percent(&since));
}
