/* resolve_rates.c: the rules for rates and think time. */
#include "rules.h"

static bool has_rate(const struct rule_ctx *r, unsigned dir)
{
	return pace_has_rate(&r->o->pace, dir);
}

static bool has_any_rate(const struct rule_ctx *r)
{
	for (unsigned d = 0; d < DIR_DATA; d++) {
		if (rule_has_dir(r, d) && has_rate(r, d))
			return true;
	}
	return false;
}

static bool thinks(const struct rule_ctx *r)
{
	return think_wanted(&r->o->think);
}

/* Returns whether a rate in bytes gives no fixed number of I/Os, because their sizes differ. */
static bool has_varying_sizes(const struct rule_ctx *r, unsigned dir)
{
	const struct pace_cfg *p = &r->o->pace;

	return (p->rate[dir] || p->steps.by_bytes) && !bsize_fixed(&r->o->offset.bsize, 1u << dir);
}

static int check_rate_min(struct rule_ctx *r, unsigned dir)
{
	const struct pace_cfg *p = &r->o->pace;
	const struct rate_min_cfg *f = &r->o->rate_min;

	if (p->rate[dir] && f->rate[dir] > p->rate[dir])
		return rule_refuse(r, "rate_min", "the minimum of %s is above {rate}", rule_dir_names[dir]);
	if (p->rate_iops[dir] && f->iops[dir] > p->rate_iops[dir])
		return rule_refuse(r, "rate_iops_min", "the minimum of %s is above {rate_iops}",
				   rule_dir_names[dir]);
	return 0;
}

/* Refuses other options that decide when an I/O starts. */
static int check_steps_load(struct rule_ctx *r)
{
	const struct pace_cfg *p = &r->o->pace;

	for (unsigned d = 0; d < DIR_DATA; d++)
		if (p->rate[d] || p->rate_iops[d])
			return rule_refuse(r, p->rate[d] ? "rate" : "rate_iops",
					   "contradicts {rate_steps}, which has all rates; use one of them");
	if (p->shared && *p->shared)
		return rule_refuse(r, "rate_shared",
				   "contradicts {rate_steps}: the steps count from the start of each job");
	if (p->total)
		return rule_refuse(r, "rate_total",
				   "contradicts {rate_steps}, which has a rate for each direction");
	if (thinks(r))
		return rule_refuse(r, "thinktime",
				   "contradicts {rate_steps}: its pauses would move I/Os to later steps");
	if (r->o->flow.weight)
		return rule_refuse(r, "flow",
				   "contradicts {rate_steps}: its waits would move I/Os to later steps");
	if (r->o->queue.per_file)
		return rule_refuse(r, "iodepth_per_file",
				   "contradicts {rate_steps}: each file would have a schedule of its own");
	if (r->o->thread_group.name)
		return rule_refuse(r, "thread_group",
				   "contradicts {rate_steps}: each file would have a schedule of its own");
	if (r->o->verify.format.kind && (r->o->verify.backlog || r->o->verify.trim_backlog))
		return rule_refuse(r, r->o->verify.backlog ? "verify_backlog" : "trim_backlog",
				   "contradicts {rate_steps}: the I/Os in between would delay the steps");
	if (rate_min_wanted(&r->o->rate_min))
		return rule_refuse(r, job_user_option(r->job, "rate_min") ? "rate_min" : "rate_iops_min",
				   "contradicts {rate_steps}: the least rate would be the same in all steps");
	return 0;
}

/* Refuses steps without a measured time in which they could take place. */
static int check_steps_time(struct rule_ctx *r)
{
	const struct pace_steps *s = &r->o->pace.steps;
	const struct pace_step *last = &s->step[s->n - 1];
	const struct time_cfg *t = &r->o->time;
	uint64_t first = 0, end = 0;

	for (unsigned d = 0; d < DIR_DATA; d++) {
		if (!rule_has_dir(r, d))
			continue;
		first |= s->step[0].rate[d];
		end |= last->rate[d];
	}
	if (t->runtime_ns && last->start_ns >= t->runtime_ns)
		return rule_refuse(r, "rate_steps",
				   "contradicts {runtime}, which ends before the last step starts");
	if (!t->runtime_ns && !end)
		return rule_refuse(r, "rate_steps",
				   "ends with a pause, so the job would not end; it needs {+runtime=60}");
	if ((t->ramp_ns || t->ramp_bytes) && !first)
		return rule_refuse(r, t->ramp_ns ? "ramp_time" : "ramp_size",
				   "contradicts {rate_steps}: the ramp has the rate of the first step, which "
				   "is 0");
	if (t->ramp_only)
		return rule_refuse(r, "ramp_only", "contradicts {rate_steps}, which needs measured time");
	return 0;
}

static int check_steps(struct rule_ctx *r)
{
	const struct pace_steps *s = &r->o->pace.steps;
	int err;

	if (!s->n)
		return 0;
	for (unsigned d = 0; d < DIR_DATA; d++)
		if (rule_has_dir(r, d) && !pace_steps_max(s, d))
			return rule_refuse(r, "rate_steps",
					   "the rate of %s is 0 in all steps, so they would never start",
					   rule_dir_names[d]);
	err = check_steps_load(r);
	return err ? err : check_steps_time(r);
}

static int check_open_direction(struct rule_ctx *r, unsigned dir)
{
	if (!has_rate(r, dir))
		return rule_refuse(
			r, "rate_open",
			"%s have no rate; use {rate_iops} or {rate} for every direction of the job",
			rule_dir_names[dir]);
	if (has_varying_sizes(r, dir))
		return rule_refuse(r, "rate_open",
				   "{rate} counts bytes, and the block sizes of %s differ, so the number of "
				   "queued I/Os is unknown; use {rate_iops}",
				   rule_dir_names[dir]);
	return 0;
}

static int check_open(struct rule_ctx *r)
{
	const struct queue_cfg *q = &r->o->queue;
	int err = 0;

	if (!r->o->pace.open)
		return 0;
	if (thinks(r))
		return rule_refuse(
			r, "rate_open",
			"contradicts {thinktime}: I/Os arrive at the rate even while the job pauses");
	if (r->o->offset.rw & RW_TRIMWRITE)
		return rule_refuse(r, "rate_open",
				   "does not go with {rw=trimwrite}: a write follows its trim and has no "
				   "arrival of its own");
	if (q->low && q->low < q->iodepth)
		return rule_refuse(r, "iodepth_low",
				   "contradicts {rate_open}: it delays I/Os while the queue shrinks, but "
				   "they are issued when they arrive");
	if (r->o->report.no_lat || r->o->report.gtod_reduce)
		return rule_refuse(r, r->o->report.no_lat ? "disable_lat" : "gtod_reduce",
				   "contradicts {rate_open}, which computes its queue from lat");
	for (unsigned d = 0; d < DIR_DATA && !err; d++) {
		if (rule_has_dir(r, d))
			err = check_open_direction(r, d);
	}
	return err;
}

static int check_shared(struct rule_ctx *r)
{
	const struct pace_cfg *p = &r->o->pace;

	if (!p->shared || !*p->shared)
		return 0;
	if (!has_any_rate(r))
		return rule_refuse(r, "rate_shared",
				   "the job has no rate to share; use {rate_iops} or {rate}");
	if (r->o->time.ramp_bytes)
		return rule_refuse(r, "ramp_size",
				   "contradicts {rate_shared}: the jobs would end their ramps at different "
				   "times; use {ramp_time}");
	if (p->ignore_think && thinks(r))
		return rule_refuse(
			r, "rate_ignore_thinktime",
			"contradicts {rate_shared}: a shared schedule cannot stop while one job pauses");
	for (unsigned d = 0; d < DIR_DATA; d++) {
		if (rule_has_dir(r, d) && p->rate[d] && p->process == PACE_POISSON)
			return rule_refuse(r, "rate_shared",
					   "a shared Poisson rate counts I/Os; use {rate_iops}");
	}
	return 0;
}

/* Clears the rates and the think time of a job without I/O. rule_no_io has noted rate and rate_iops. */
static int clear_rates(struct rule_ctx *r)
{
	static const char *const names[] = { "rate_open",     "rate_shared", "rate_min",    "rate_wait",
					     "rate_iops_min", "thinktime",   "thinkcycles", "rate_steps" };
	struct pace_cfg *p = &r->o->pace;

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (rule_section_option(r, names[i]))
			rule_note(r, names[i], "has no effect: %s does no I/O", r->job->engine->name);
	}
	for (unsigned d = 0; d < DIR_DATA; d++)
		p->rate[d] = p->rate_iops[d] = 0;
	p->open = false;
	p->steps.n = 0;
	r->o->rate_min = (struct rate_min_cfg){ .cycle_ms = 1000 };
	r->o->think = (struct think_cfg){ 0 };
	return 0;
}

/* fio takes rate_iops as a bandwidth, that of the smallest blocks; with rate_process=poisson it is the other
   way round. */
static void note_rate_of_sizes(struct rule_ctx *r)
{
	const struct pace_cfg *p = &r->o->pace;
	bool poisson = p->process == PACE_POISSON;

	for (unsigned d = 0; d < DIR_DATA; d++) {
		if (!rule_has_dir(r, d) || bsize_fixed(&r->o->offset.bsize, 1u << d))
			continue;
		if (poisson && p->rate[d])
			rule_note(r, "rate",
				  "counts the bytes of each I/O; with {rate_process=poisson} fio counts each "
				  "I/O as one of the smallest blocks, and exceeds the rate");
		else if (!poisson && p->rate_iops[d])
			rule_note(r, "rate_iops",
				  "counts I/Os of any size; fio takes it as the bandwidth of so many of the "
				  "smallest blocks");
		else
			continue;
		return;
	}
}

int rule_rates(struct rule_ctx *r)
{
	static const char *const names[] = { "rate_process", "rate_ignore_thinktime", "rate_wait" };
	const struct pace_cfg *p = &r->o->pace;
	int err = 0;

	if (r->job->engine->caps & ENG_NOIO)
		return clear_rates(r);
	for (unsigned dir = 0; dir < DIR_DATA && !err; dir++) {
		if (!rule_has_dir(r, dir)) {
			r->o->rate_min.rate[dir] = r->o->rate_min.iops[dir] = 0;
			continue;
		}
		if (p->rate[dir] && p->rate_iops[dir])
			return rule_refuse(r, "rate_iops", "{rate} limits the %s, too; use one of them",
					   rule_dir_names[dir]);
		err = check_rate_min(r, dir);
	}
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]) && !has_any_rate(r); i++) {
		if (rule_section_option(r, names[i]))
			rule_note(r, names[i], "has no effect without {rate} or {rate_iops}");
	}
	note_rate_of_sizes(r);
	err = err ? err : check_steps(r);
	err = err ? err : check_open(r);
	return err ? err : check_shared(r);
}

/* As in fio, pauses depend on time alone if thinktime_iotime is given and thinktime_blocks is not. */
int rule_think(struct rule_ctx *r)
{
	static const char *const names[] = { "thinktime_spin", "thinktime_blocks", "thinktime_blocks_type",
					     "thinktime_iotime", "rate_ignore_thinktime" };
	struct think_cfg *t = &r->o->think;

	if (r->job->engine->caps & ENG_NOIO)
		return 0;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]) && !thinks(r); i++) {
		if (rule_section_option(r, names[i]))
			rule_note(r, names[i], "has no effect without {thinktime}");
	}
	if (thinks(r) && t->spin_ns > t->most_ns)
		return rule_refuse(r, "thinktime_spin", "is longer than {thinktime}, of which it is a part");
	if (t->iotime_ns && !job_user_option(r->job, "thinktime_blocks"))
		t->blocks = 0;
	else if (!t->iotime_ns && !t->blocks)
		t->blocks = 1;
	return 0;
}
