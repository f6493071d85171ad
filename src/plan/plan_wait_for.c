/* plan_wait_for.c: wait_for: which jobs start together, and when their files may be laid out. */
#include <string.h>
#include "plan_build.h"

static int find_section(struct build *b, const struct job *job, uint32_t section, uint32_t *found)
{
	const struct job_set *set = b->p->set;
	const char *name = job->opts.group.wait_for;
	bool later = false;

	*found = PLAN_NONE;
	for (uint32_t i = 0; i < set->njobs; i++) {
		if (strcmp(set->jobs[i].name, name))
			continue;
		if (i >= section) {
			later = true;
			continue;
		}
		if (*found != PLAN_NONE)
			return plan_err(b, job, "wait_for",
					"{wait_for=%s}: two jobs have this name; give them different names",
					name);
		*found = (uint32_t)(thread_group_lead(set, &set->jobs[i]) - set->jobs);
	}
	if (*found != PLAN_NONE)
		return 0;
	return plan_err(b, job, "wait_for",
			later ? "{wait_for=%s}: that job comes later in the file; a job can wait for earlier "
				"jobs only"
			      : "{wait_for=%s}: no job has this name",
			name);
}

int plan_wait_for_stage(struct build *b, uint32_t section)
{
	struct plan *p = b->p;
	const struct job *job = &p->set->jobs[section];
	struct section_state *s = &b->section[section];
	uint32_t base;
	int ret = 0;

	*s = (struct section_state){ .first = p->njobs,
				     .count = job->opts.group.numjobs,
				     .wave = p->nwaves - 1,
				     .waits_for = PLAN_NONE };
	if (job->opts.group.wait_for)
		ret = find_section(b, job, section, &s->waits_for);
	if (s->waits_for != PLAN_NONE && b->section[s->waits_for].wave != s->wave)
		s->waits_for = PLAN_NONE; /* the job ends with an earlier wave */
	base = p->nstages && p->stages[p->nstages - 1].wave == s->wave ? p->stages[p->nstages - 1].base
								       : p->nstages;
	for (s->stage = base; s->stage < p->nstages; s->stage++) {
		const struct plan_stage *st = &p->stages[s->stage];

		if (s->waits_for == PLAN_NONE
			    ? !st->nawaited
			    : st->nawaited && st->first_awaited == b->section[s->waits_for].first)
			return ret;
	}
	p->stages[p->nstages++] = (struct plan_stage){ .wave = s->wave, .base = base };
	if (s->waits_for != PLAN_NONE) {
		p->stages[s->stage].first_awaited = b->section[s->waits_for].first;
		p->stages[s->stage].nawaited = b->section[s->waits_for].count;
	}
	return ret;
}

/* Returns whether `section` starts after `earlier` has ended. */
static bool follows(const struct build *b, uint32_t section, uint32_t earlier)
{
	for (uint32_t s = b->section[section].waits_for; s != PLAN_NONE; s = b->section[s].waits_for)
		if (s == earlier)
			return true;
	return false;
}

void plan_wait_for_use(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	struct target_state *s = &b->state[b->p->targets[pf->target].same];

	if (s->wave_used != pj->wave + 1) {
		s->wave_used = pj->wave + 1;
		s->last_section = pj->section;
		s->last_stage = s->first_stage = pj->stage;
		s->overlap = s->unlink_after = false;
		s->size_after = 0;
	} else if (s->last_stage == pj->stage) {
		if (s->last_section != pj->section)
			s->last_section = PLAN_SEVERAL;
	} else if (s->last_section != PLAN_SEVERAL && follows(b, pj->section, s->last_section)) {
		s->last_section = pj->section;
		s->last_stage = pj->stage;
		s->size_after = s->unlink_after ? 0 : s->size_after;
		s->unlink_after = false;
	} else {
		s->overlap = true;
	}
	if (pf->size > s->size_after && !plan_verify_takes_short(pj->job))
		s->size_after = pf->size;
	/* The run removes only files that it created or that carry fiord's mark. */
	s->unlink_after |= pj->job->opts.files.unlink &&
			   (!s->exists || s->created || b->p->targets[pf->target].facts->marked);
}

bool plan_wait_for_found(const struct build *b, const struct plan_job *pj, uint32_t target,
			 uint64_t *size_bytes)
{
	const struct target_state *s = &b->state[b->p->targets[target].same];
	bool exists = s->exists;

	*size_bytes = exists ? s->size : 0;
	if (s->wave_used != pj->wave + 1 || s->overlap || s->last_section == PLAN_SEVERAL ||
	    s->last_stage == pj->stage || !follows(b, pj->section, s->last_section))
		return exists;
	if (s->unlink_after)
		*size_bytes = 0;
	else if (s->size_after > *size_bytes)
		*size_bytes = s->size_after;
	return !s->unlink_after;
}

static bool serialized(const struct plan_job *pj)
{
	return pj->job->opts.files.create_serialize && !(pj->job->engine->caps & (ENG_NOFILE | ENG_NOIO));
}

void plan_layout_after(const struct plan *p, struct plan_job *pj)
{
	pj->layout_after[0] = pj->layout_after[1] = PLAN_NONE;
	if (!serialized(pj))
		return;
	for (uint32_t i = pj->index; i-- > 0 && p->jobs[i].wave == pj->wave;) {
		if (!serialized(&p->jobs[i]))
			continue;
		if (pj->layout_after[0] == PLAN_NONE)
			pj->layout_after[0] = i;
		if (p->jobs[i].stage == pj->stage) {
			pj->layout_after[1] = i;
			break;
		}
	}
}
