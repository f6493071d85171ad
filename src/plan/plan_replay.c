/* plan_replay.c: checks that a trace fits its targets. */
#include "plan_build.h"
#include "replay.h"

/* Checks a target before its range is planned. */
int plan_replay_target(struct build *b, const struct plan_job *pj, uint32_t i, const struct plan_target *t)
{
	const struct replay_cfg *c = &pj->job->opts.replay;
	const struct target_facts *f = t->facts;
	uint64_t end;

	if (!c->facts)
		return 0;
	end = c->facts->end[i];
	if (f->type == TARGET_MISSING)
		return plan_err(b, pj->job, "read_iolog",
				"{read_iolog=%s}: its target %s does not exist; the trace reaches up to byte "
				"%s of it: "
				"make this file, or name another target, such as {+replay_redirect=FILE}",
				c->log, t->path, plan_size_text(b, end));
	if ((f->type == TARGET_FILE || f->type == TARGET_BLOCK) && end > f->size)
		return plan_err(
			b, pj->job, "read_iolog",
			"{read_iolog=%s}: the trace reaches up to byte %s of %s, which has %s; use a larger "
			"target, or {+replay_scale=%u}",
			c->log, plan_size_text(b, end), t->path, plan_bytes(b, f->size),
			f->size ? (unsigned)((end - 1) / f->size + 1) : 2);
	if (pj->rw & (RW_WRITE | RW_TRIM) && !c->facts->named[i] && !target_allowed(f, t->path, &b->p->allow))
		return plan_err(b, pj->job, "read_iolog",
				"{read_iolog=%s}: the trace writes to %s, which only the trace names; use "
				"{+replay_redirect=%s} or {+allow_write=%s} to allow it, or "
				"{+replay_skip=write,trim}",
				c->log, t->path, t->path, t->path);
	return 0;
}
