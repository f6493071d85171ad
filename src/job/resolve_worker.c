/* resolve_worker.c: the rules for time, users, memory and contents. */
#include "rules.h"

#include <string.h>
#include <time.h>

/* ---- time ---- */

int rule_time(struct rule_ctx *r)
{
	struct time_cfg *t = &r->o->time;

	if (!t->loops)
		return rule_refuse(r, "loops", "must be 1 or more");
	if (t->startdelay_hi_ns && t->startdelay_hi_ns < t->startdelay_lo_ns)
		return rule_refuse(r, "startdelay", "the range ends before it begins");
	if (t->time_based && !t->runtime_ns && !t->ramp_only) {
		rule_note(r, "time_based", "has no effect without {runtime}");
		t->time_based = false;
	}
	if (t->ramp_bytes && t->ramp_ns)
		return rule_refuse(r, "ramp_size",
				   "contradicts {ramp_time}, which is a ramp, too; use one of them");
	if (t->time_based && t->number_ios)
		rule_note(r, "number_ios", "has no effect with {time_based}, as in fio");
	return 0;
}

int rule_sweep(struct rule_ctx *r)
{
	for (const char *line = r->o->sweep; line; line = strchr(line, '\n')) {
		size_t name;

		line += *line == '\n';
		name = strcspn(line, "=\n");
		if (!name || line[name] != '=' || !line[name + 1] || line[name + 1] == '\n')
			return rule_refuse(r, "sweep",
					   "needs an option and its values, such as iodepth=1,2,4..256");
	}
	if (r->o->sweep)
		rule_note(
			r, "sweep",
			"this run is one point; run \"fiord sweep\" with the same arguments for all points");
	return 0;
}

int rule_user(struct rule_ctx *r)
{
	struct user_cfg *u = &r->o->user;

	u->set_uid = job_user_option(r->job, "uid");
	u->set_gid = job_user_option(r->job, "gid");
	if (r->o->group.thread && (u->set_uid || u->set_gid))
		return rule_refuse(r, u->set_uid ? "uid" : "gid",
				   "needs processes: with {thread=1} the workers are threads of one process, "
				   "which has one user");
	return 0;
}

/* Returns whether each component of the name stays below the mount: none is empty, "." or "..". */
static bool cgroup_name_valid(const char *name)
{
	name += strspn(name, "/");
	for (;; name++) {
		size_t n = strcspn(name, "/");

		if (!n || n > 200 || strchr(name, '\n') ||
		    (name[0] == '.' && (n == 1 || (n == 2 && name[1] == '.'))))
			return false;
		name += n;
		if (!*name)
			return true;
	}
}

int rule_cgroup(struct rule_ctx *r)
{
	const struct cgroup_cfg *c = &r->o->cgroup;

	if (c->name && !cgroup_name_valid(c->name))
		return rule_refuse(r, "cgroup", "not the name of a group, such as mine or system.slice/mine");
	if (c->name && r->o->group.thread)
		return rule_refuse(r, "cgroup",
				   "needs processes: with {thread=1} the workers are threads of one process, "
				   "which is in one group");
	if (!c->name && c->weight)
		rule_note(r, "cgroup_weight", "has no effect without {cgroup}");
	if (!c->name && c->nodelete)
		rule_note(r, "cgroup_nodelete", "has no effect without {cgroup}");
	return 0;
}

/* ---- contents ---- */

int rule_dedupe(struct rule_ctx *r)
{
	static const char *const details[] = { "dedupe_mode", "dedupe_working_set_percentage",
					       "dedupe_global" };
	const struct buffer_cfg *b = &r->o->buffer;

	for (unsigned i = 0; i < 3 && !b->dedupe; i++)
		if (rule_section_option(r, details[i]))
			rule_note(r, details[i], "has no effect without {dedupe_percentage}");
	if (!b->dedupe)
		return 0;
	if (b->pattern && !b->compress)
		return rule_refuse(r, "dedupe_percentage",
				   "{buffer_pattern} makes all blocks equal; with "
				   "{buffer_compress_percentage} it fills only a part of each block");
	if (b->pattern && b->pattern->noffsets)
		return rule_refuse(r, "dedupe_percentage",
				   "%%o in {buffer_pattern} makes every block unique");
	if (b->dedupe_mode == DEDUPE_WORKING_SET && b->dedupe + b->dedupe_set > 100)
		return rule_refuse(r, "dedupe_percentage",
				   "is too high: the blocks of the working set are unique, and they are %u%% "
				   "({dedupe_working_set_percentage})",
				   b->dedupe_set);
	return 0;
}

int rule_contents(struct rule_ctx *r)
{
	const struct buffer_cfg *b = &r->o->buffer;
	const char *generator = b->dedupe     ? "dedupe_percentage"
				: b->compress ? "buffer_compress_percentage"
					      : NULL;
	const struct user_option *chunk = rule_section_option(r, "buffer_compress_chunk");

	if (chunk && !b->compress)
		rule_note(r, "buffer_compress_chunk", "has no effect without {buffer_compress_percentage}");
	if (rule_section_option(r, "zero_buffers") && b->zero && (generator || b->pattern))
		rule_note(r, "zero_buffers", "has no effect: {%s} determines the content",
			  generator ? generator : "buffer_pattern");
	if (rule_section_option(r, "refill_buffers") && !b->refill && generator)
		rule_note(r, "refill_buffers", "has no effect: {%s} generates every block anew", generator);
	return 0;
}

int rule_memory(struct rule_ctx *r)
{
	const struct mem_cfg *m = &r->o->memory;

	if (m->align & (m->align - 1))
		return rule_refuse(r, "iomem_align", "not a power of two");
	if (m->hugepage && !mem_kind_huge(m->source.kind))
		rule_note(r, "hugepage-size", "has no effect without {+mem=shmhuge} or {+mem=mmaphuge}");
	return 0;
}

int rule_place(struct rule_ctx *r)
{
	struct place_cfg *p = &r->o->place;

	p->set_nice = job_user_option(r->job, "nice");
	p->set_prio = job_user_option(r->job, "prio") || job_user_option(r->job, "prioclass") ||
		      job_user_option(r->job, "priohint");
	if (p->policy == CPUS_SPLIT && !cpuset_count(&p->cpus))
		rule_note(r, "cpus_allowed_policy", "has no effect without {cpus_allowed}");
	return 0;
}

/* Applies gtod_reduce, which disables latencies. Bandwidth samples cost nothing in fiord, so they stay. */
int rule_latencies(struct rule_ctx *r)
{
	struct report_cfg *c = &r->o->report;

	if (c->gtod_reduce)
		c->no_slat = c->no_clat = c->no_lat = true;
	return 0;
}

/* Percentiles of files are those of clat, or with lat_percentiles those of lat, as those of priorities. */
int rule_per_file_stats(struct rule_ctx *r)
{
	struct report_cfg *c = &r->o->report;
	bool lat = c->lat_percentiles;

	if (!c->file_stats)
		return 0;
	if (r->job->engine->caps & ENG_NOIO || !c->stats) {
		if (rule_section_option(r, "per_file_stats"))
			return c->stats ? rule_refuse(r, "per_file_stats", "%s does no I/O",
						      r->job->engine->name)
					: rule_refuse(r, "per_file_stats",
						      "contradicts {stats=0}, which leaves the job out of "
						      "the report");
		c->file_stats = FILE_STATS_NONE;
	}
	if (c->file_stats != FILE_STATS_PERCENTILES)
		return 0;
	if (c->gtod_reduce)
		return rule_refuse(
			r, "gtod_reduce",
			"contradicts {per_file_stats=percentiles}, because no latency is measured");
	if (!lat && !c->clat_percentiles)
		return rule_refuse(r, "clat_percentiles",
				   "contradicts {per_file_stats=percentiles}; use {+lat_percentiles=1} or "
				   "{+per_file_stats=counts}");
	if (lat ? c->no_lat : c->no_clat)
		return rule_refuse(
			r, lat ? "disable_lat" : "disable_clat",
			"contradicts {per_file_stats=percentiles}, because that latency is not measured");
	return 0;
}

int rule_clocks(struct rule_ctx *r)
{
	clockid_t id = (clockid_t)r->o->report.start_clock;
	struct timespec ts;

	if (r->o->time.clock == TIME_CLOCK_DAY)
		rule_note(r, "clocksource",
			  "times come from clock_gettime, because the time of day can jump and has a "
			  "resolution of microseconds");
	if (clock_gettime(id, &ts))
		return rule_refuse(r, "job_start_clock_id",
				   "this clock does not exist; 0 is the time of day, 1 CLOCK_MONOTONIC, "
				   "7 CLOCK_BOOTTIME, 11 CLOCK_TAI");
	return 0;
}
