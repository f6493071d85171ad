/* plan_replay.c: checks that a trace fits its targets. */
#include "plan_build.h"
#include "replay.h"
#include "units.h"

/* Checks that the I/Os of the trace have room in a target. */
static int check_size(struct build *b, const struct plan_job *pj, uint32_t i, const struct plan_target *t)
{
	const struct replay_cfg *c = &pj->job->opts.replay;
	uint64_t size = t->facts->size, end = c->facts->end[i];

	if (c->address == REPLAY_WRAP || c->address == REPLAY_FIT) {
		if (end == size || pj->bs_max <= replay_usable(size))
			return 0;
		return plan_err(
			b, pj->job, "read_iolog",
			"{read_iolog=%s}: the trace has I/Os of %s, and %s has %s; use a larger target",
			c->log, units_exact(pj->bs_max).text, t->path, units_exact(size).text);
	}
	if (end <= size)
		return 0;
	if (c->address == REPLAY_COMPACT)
		return plan_err(b, pj->job, "read_iolog",
				"{read_iolog=%s}: without its gaps the trace has %s for %s, which has %s; "
				"use a larger target, {+replay_address=wrap} or {+replay_address=fit}",
				c->log, units_exact(end).text, t->path, units_exact(size).text);
	if (!size)
		return plan_err(b, pj->job, "read_iolog",
				"{read_iolog=%s}: its target %s is empty; the trace reaches up to byte %s of "
				"it (%s): use a larger target",
				c->log, t->path, units_suffixed(end).text, c->facts->end_place[i]);
	return plan_err(
		b, pj->job, "read_iolog",
		"{read_iolog=%s}: the trace reaches up to byte %s of %s (%s), which has %s; use a larger "
		"target, {+replay_address=wrap} or another of its values, or {+replay_scale=%u}",
		c->log, units_suffixed(end).text, t->path, c->facts->end_place[i], units_exact(size).text,
		(unsigned)((end - 1) / size + 1));
}

bool plan_replay_tells_lateness(const struct plan_job *pj)
{
	const struct replay_cfg *c = &pj->job->opts.replay;

	return plan_replays_timed(pj) && c->facts && c->facts->timed;
}

/* Checks a target that does not exist. It is laid out if the user named it and its directory exists;
   plan_access refuses what is no new file, such as the name of a device. */
static int check_missing(struct build *b, const struct plan_job *pj, uint32_t i, const struct plan_target *t)
{
	const struct replay_cfg *c = &pj->job->opts.replay;

	if (t->facts->in_dev || (c->facts->named[i] && !t->facts->parent_missing))
		return 0;
	return plan_err(b, pj->job, "read_iolog",
			"{read_iolog=%s}: its target %s does not exist%s; the trace reaches up to byte %s of "
			"it (%s): make this file, or name another target, such as {+replay_redirect=FILE}",
			c->log, t->path, t->facts->parent_missing ? ", and neither does its directory" : "",
			units_suffixed(c->facts->end[i]).text, c->facts->end_place[i]);
}

uint64_t plan_replay_layout(const struct plan_job *pj, uint32_t i, const struct plan_target *t)
{
	const struct bsize_cfg *bsize = &pj->job->opts.offset.bsize;
	uint64_t end, least = bsize_least_range(bsize, pj->job->opts.offset.rw);

	if (!pj->job->opts.replay.facts || t->facts->type != TARGET_MISSING)
		return 0;
	end = pj->job->opts.replay.facts->end[i];
	return end > least ? end : least;
}

/* Checks a target before its range is planned. */
int plan_replay_target(struct build *b, const struct plan_job *pj, uint32_t i, const struct plan_target *t)
{
	const struct replay_cfg *c = &pj->job->opts.replay;
	const struct target_facts *f = t->facts;
	bool sized = f->type == TARGET_FILE || f->type == TARGET_BLOCK;

	if (!c->facts)
		return 0;
	if (f->type == TARGET_MISSING)
		return check_missing(b, pj, i, t);
	if (sized && check_size(b, pj, i, t))
		return b->d->err;
	if (pj->rw & (RW_WRITE | RW_TRIM) && !c->facts->named[i] && !target_allowed(f, t->path, &b->p->allow))
		return plan_err(b, pj->job, "read_iolog",
				"{read_iolog=%s}: the trace writes to %s, which only the trace names; use "
				"{+filename=%s} or {+allow_write=%s} to allow it, or "
				"{+replay_skip=write,trim}",
				c->log, t->path, t->path, t->path);
	return 0;
}
