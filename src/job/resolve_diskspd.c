/* resolve_diskspd.c: the rules for the options in rows_diskspd.inc. */
#include <inttypes.h>
#include <string.h>
#include "rules.h"

static bool is_sequential(const struct rule_ctx *r)
{
	return !(r->o->offset.rw & RW_RANDOM);
}

static bool reads_and_writes(const struct rule_ctx *r)
{
	return rule_has_dir(r, DIR_READ) && rule_has_dir(r, DIR_WRITE);
}

/* Checks the step. Sequential I/O that is shared or wraps must move forward. A shared position needs one
   block size. */
static int check_step(struct rule_ctx *r)
{
	const struct offset_cfg *o = &r->o->offset;
	const char *by = o->shared       ? "offset_shared"
			 : o->per_slot   ? "seq_per_slot"
			 : o->shared_pos ? "rwmix_shared_pos"
					 : "seq_wrap";

	if (!offset_wraps(o))
		return 0;
	if (o->shared && !bsize_fixed(&o->bsize, o->rw & RW_DIRS))
		return rule_refuse(r, by, "needs one block size for all I/Os");
	if (o->rw_stride < 0 && (uint64_t)-o->rw_stride >= bsize_min(&o->bsize, o->rw & RW_DIRS))
		return rule_refuse(
			r, by,
			"needs a step of {rw} that goes forward (the block size and the number added to it)");
	return 0;
}

/* Checks the options that need sequential I/O. */
static int check_sequential(struct rule_ctx *r)
{
	static const char *const names[] = { "offset_shared", "seq_per_slot" };
	const struct offset_cfg *o = &r->o->offset;
	bool on[] = { o->shared, o->per_slot };

	for (unsigned i = 0; i < 2; i++)
		if (!is_sequential(r) && on[i])
			return rule_refuse(r, names[i], "needs sequential I/O, and the job's I/O is random");
	if (o->shared && o->per_slot)
		return rule_refuse(r, "seq_per_slot",
				   "contradicts {offset_shared}: either all clones share a position, or each "
				   "I/O in flight has its own");
	if (o->shared && (r->o->files.offset_increment.bytes || r->o->files.offset_increment.percent))
		return rule_refuse(r, "offset_shared",
				   "contradicts {offset_increment}: the clones share one position");
	if (o->shared && r->o->files.rank_shared)
		return rule_refuse(
			r, "offset_shared",
			"does not go with {rank_shared=1}: the clones of one rank can share a position, "
			"and ranks cannot");
	return check_step(r);
}

/* With this option each file has its own speed, so no file may end before the others. */
int rule_endless(struct rule_ctx *r, const char *option)
{
	const struct files_cfg *f = &r->o->files;
	struct offset_cfg *o = &r->o->offset;

	if (r->job->engine->caps & (ENG_META | ENG_NOIO))
		return rule_refuse(r, option, "is for reads and writes, and the engine %s does neither",
				   r->job->engine->name);
	if (o->rw & RW_TRIMWRITE)
		return rule_refuse(r, option, "does not go with {rw=trimwrite}, whose I/Os are pairs");
	if (!is_sequential(r) && !o->norandommap && !o->dist)
		return rule_refuse(r, option,
				   "needs {+norandommap=1}, so that no file ends before the others");
	if (f->fill || f->unlink_each_loop || r->o->file.create_on_open)
		return rule_refuse(r, option, "needs all files to stay open");
	o->endless = true;
	return 0;
}

static int check_weights(struct rule_ctx *r)
{
	const struct files_cfg *f = &r->o->files;

	if (!f->weights)
		return 0;
	if (f->file_order.kind != FILE_ORDER_RANDOM)
		return rule_refuse(
			r, "file_weights",
			"needs {+file_service_type=random}: only this order chooses files by weight");
	if (r->o->queue.per_file)
		return rule_refuse(r, "file_weights",
				   "contradicts {iodepth_per_file}, which has I/Os in flight to every file");
	return rule_endless(r, "file_weights");
}

static int check_depth_per_file(struct rule_ctx *r)
{
	if (!r->o->queue.per_file)
		return 0;
	if (job_synchronous(r->job))
		return rule_refuse(r, "iodepth_per_file",
				   "the engine %s does one I/O at a time; use another engine",
				   r->job->engine->name);
	if (r->o->pace.open || (r->o->pace.shared && *r->o->pace.shared))
		return rule_refuse(
			r, r->o->pace.open ? "rate_open" : "rate_shared",
			"does not go with {iodepth_per_file}, where each file has a schedule of its own");
	return rule_endless(r, "iodepth_per_file");
}

static void note_without_effect(struct rule_ctx *r)
{
	const struct offset_cfg *o = &r->o->offset;

	if (o->wrap != SEQ_WRAP_START && !is_sequential(r))
		rule_note(r, "seq_wrap", "has no effect: the job's I/O is random");
	if (o->shared_pos && (!is_sequential(r) || !reads_and_writes(r)))
		rule_note(r, "rwmix_shared_pos",
			  "has no effect: the job does not both read and write in order");
	if (o->runs != SEQ_RUNS_MIXED && (is_sequential(r) || !job_user_option(r->job, "percentage_random")))
		rule_note(r, "seq_runs", "has no effect without {percentage_random} and a random {rw}");
	if (r->o->distribution_clip && (!r->o->offset.dist || r->o->offset.dist->kind != DIST_ZONED))
		rule_note(r, "random_clip",
			  "has no effect without {+random_distribution=zoned_abs} or zoned");
	if (r->o->time.cooldown_ns && !r->o->time.runtime_ns && !r->o->time.ramp_only)
		rule_note(r, "cooldown", "has no effect without {runtime}");
}

static bool has_any_rate(const struct pace_cfg *p)
{
	return p->rate[DIR_READ] || p->rate[DIR_WRITE] || p->rate_iops[DIR_READ] || p->rate_iops[DIR_WRITE];
}

static int check_rates(struct rule_ctx *r)
{
	const struct pace_cfg *p = &r->o->pace;

	if (r->o->offset.runs == SEQ_RUNS_HOMOGENEOUS && !is_sequential(r) && reads_and_writes(r) &&
	    !p->total && has_any_rate(p))
		return rule_refuse(r, "seq_runs",
				   "keeps the direction of a run, but reads and writes have separate rates; "
				   "use {+rate_total=1}");
	if (!p->total)
		return 0;
	if (p->open)
		return rule_refuse(r, "rate_total",
				   "does not go with {rate_open}, which has a queue for each direction");
	if (!p->rate[0] && !p->rate_iops[0])
		return rule_refuse(r, "rate_total", "needs {rate} or {rate_iops}");
	if (p->rate[DIR_READ] != p->rate[DIR_WRITE] || p->rate_iops[DIR_READ] != p->rate_iops[DIR_WRITE])
		return rule_refuse(r, "rate_total",
				   "needs one rate for both directions, but their rates differ");
	return 0;
}

static int check_pool(struct rule_ctx *r)
{
	static const char *const others[] = { "buffer_pattern", "zero_buffers", "refill_buffers",
					      "dedupe_percentage", "buffer_compress_percentage" };
	const struct write_pool_cfg *pool = &r->o->write_pool;

	if (pool->file && !pool->bytes)
		return rule_refuse(r, "write_pool_file", "needs {write_pool}, the size of the pool");
	if (!pool->bytes)
		return 0;
	if (!rule_has_dir(r, DIR_WRITE)) {
		rule_note(r, "write_pool", "has no effect: the job does not write");
		return 0;
	}
	if (pool->bytes < bsize_max(&r->o->offset.bsize, RW_WRITE))
		return rule_refuse(r, "write_pool", "is smaller than one write ({bs=%" PRIu32 "})",
				   bsize_max(&r->o->offset.bsize, RW_WRITE));
	for (unsigned i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (rule_section_option(r, others[i]))
			return rule_refuse(r, others[i],
					   "contradicts {write_pool}, which provides the written data");
	return 0;
}

static int check_times(struct rule_ctx *r)
{
	const struct time_cfg *t = &r->o->time;

	if (t->ramp_only && t->runtime_ns)
		return rule_refuse(r, "ramp_only", "contradicts {runtime}: it measures nothing");
	return 0;
}

static int check_cpu_list(struct rule_ctx *r)
{
	const struct place_cfg *p = &r->o->place;
	const char *other = cpuset_count(&p->cpus) ? "cpus_allowed" : "numa_cpu_nodes";

	if (p->cpu_list && (cpuset_count(&p->cpus) || cpuset_count(&p->cpu_nodes)))
		return rule_refuse(r, "cpu_list", "contradicts {%s}; use one of them", other);
	if (p->cpu_list && p->cpu_order)
		return rule_refuse(r, "cpu_order", "contradicts {cpu_list}, which is an order, too");
	if (r->o->files.create_fill != CREATE_FILL_WRITE &&
	    r->job->engine->caps & (ENG_NOFILE | ENG_NOIO | ENG_META))
		rule_note(r, "create_fill", "has no effect: the engine %s lays out no files",
			  r->job->engine->name);
	return 0;
}

int rule_diskspd(struct rule_ctx *r)
{
	static int (*const checks[])(struct rule_ctx *) = { rule_thread_group,    check_weights,
							    check_depth_per_file, check_sequential,
							    check_rates,          check_pool,
							    check_times,          check_cpu_list };
	int err = 0;

	for (unsigned i = 0; i < sizeof(checks) / sizeof(*checks) && !err; i++)
		err = checks[i](r);
	note_without_effect(r);
	return err;
}

static bool signals_event(const struct event_cfg *c, const char *name)
{
	return (c->start && !strcmp(c->start, name)) || (c->finish && !strcmp(c->finish, name));
}

/* Refuses event_wait for an event that a job of this run signals. */
int rule_events(struct job_set *set, struct diag *d)
{
	for (size_t i = 0; i < set->njobs; i++) {
		struct rule_ctx r = { .set = set, .job = &set->jobs[i], .o = &set->jobs[i].opts, .d = d };
		const char *name = r.o->events.wait;

		for (size_t k = 0; name && k < set->njobs; k++)
			if (signals_event(&set->jobs[k].opts.events, name))
				return rule_refuse(&r, "event_wait",
						   "[%.80s] of this run signals it; use {wait_for} or "
						   "{stonewall} for jobs that wait for each other",
						   set->jobs[k].name);
	}
	return 0;
}
