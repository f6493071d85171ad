/* plan_layout.c: which files a wave lays out, which worker does it, and which targets are refused. */
#include <errno.h>
#include <inttypes.h>
#include "plan_build.h"

static struct target_state *state_of(struct build *b, const struct plan_file *pf)
{
	return &b->state[b->p->targets[pf->target].same];
}

static const struct target_facts *facts_of(const struct build *b, const struct plan_file *pf)
{
	return b->p->targets[pf->target].facts;
}

static bool changes_names(const struct plan_job *pj)
{
	return pj->job->engine->caps & (ENG_CREATES | ENG_DELETES);
}

/* Adds what a job needs of a file. */
static int want(struct build *b, const struct plan_job *pj, struct plan_file *pf, uint32_t stage)
{
	struct target_state *s = state_of(b, pf);
	const struct job_opts *o = &pj->job->opts;

	if (s->unit_seen != stage + 1) {
		s->unit_seen = stage + 1;
		s->cell = b->p->ncells++;
		s->unlink = s->fill = s->create_always = s->recreate = false;
		s->need = 0;
		s->data = s->write = s->overwrite = s->decided = s->used = false;
		s->on_open = s->keep = true;
		s->users = s->makers = s->removers = 0;
		s->stat_size = 0;
	}
	s->users++;
	s->unlink |= o->files.unlink;
	if (plan_is_meta(pj)) {
		plan_meta_want(s, pj, pf);
		return 0;
	}
	s->used = true;
	s->fill |= o->files.fill;
	s->create_always |= o->files.create == CREATE_ALWAYS;
	if (pf->size > s->need)
		s->need = pf->size;
	s->data |= pj->rw & (RW_READ | RW_TRIM) && !plan_alters(pj);
	s->write |= plan_writes(pj);
	s->overwrite |= o->files.overwrite;
	s->keep &= o->files.append;
	s->on_open &= o->file.create_on_open;
	return 0;
}

/* Refuses targets that the guard does not let this job write. */
static int admit(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	bool write = plan_writes(pj);

	if (plan_alters(pj) && t->facts->type != TARGET_FILE && t->facts->type != TARGET_MISSING)
		return diag_kind(b->d, DIAG_TARGET, -EINVAL, "%s: {ioengine=%s} is for regular files",
				 t->path, pj->job->engine->name);
	if (write && pj->job->opts.files.allow_mounted_write && t->facts->type == TARGET_BLOCK &&
	    t->facts->refusal[0] && !target_allowed(t->facts, t->path, &b->p->allow))
		return diag_kind(b->d, DIAG_TARGET, -EPERM,
				 "%s: refusing to write: %s; {+allow_mounted_write=1} alone opens nothing, "
				 "{+allow_write=%s} does",
				 t->path, t->facts->refusal, t->path);
	if (write || t->facts->type == TARGET_MISSING)
		return target_may_write(t->facts, t->path, &b->p->allow, b->d);
	return 0;
}

/* A file that exists but is shorter than the wave needs. */
static int lengthen(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	struct target_state *s = state_of(b, pf);

	if (t->facts->write_error)
		return diag_kind(b->d, DIAG_TARGET, t->facts->write_error,
				 "%s: has %s, {~needs|the job needs} %s, and it may not be written: %s%s",
				 t->path, plan_bytes(b, s->size), plan_bytes(b, s->need),
				 diag_errno(t->facts->write_error), plan_overridden_size(b, pj->job));
	s->layout = LAYOUT_FILL;
	if (s->write && !s->data && !s->overwrite) {
		s->layout = LAYOUT_CREATE;
		return 0;
	}
	if (s->write && !s->overwrite) {
		s->from = s->size;
		return 0;
	}
	s->from = s->keep || s->fill ? s->size : 0;
	if (b->p->set->run.readonly)
		return diag_kind(
			b->d, DIAG_TARGET, -EROFS,
			"%s: has %s, {~job|the job} reads %s, and --readonly forbids to lay it out%s",
			t->path, plan_bytes(b, s->size), plan_bytes(b, s->need),
			plan_overridden_size(b, pj->job));
	if (s->write || s->created || t->facts->marked || target_allowed(t->facts, t->path, &b->p->allow))
		return 0;
	return diag_kind(
		b->d, DIAG_TARGET, -EPERM,
		"%s: has %s, {~job|the job} reads %s, and fiord does not rewrite a file that it has not "
		"made; choose a smaller size, or "
		"say {~recreate|allow_write=%s} to have it laid out anew%s",
		t->path, plan_bytes(b, s->size), plan_bytes(b, s->need), t->path,
		plan_overridden_size(b, pj->job));
}

/* create=always: truncates an existing file if fiord created it or allow_write names it. */
static int renew(struct build *b, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	struct target_state *s = state_of(b, pf);

	if (t->facts->type != TARGET_FILE && !s->created)
		return 0;
	if (!s->created && !t->facts->marked && !target_allowed(t->facts, t->path, &b->p->allow)) {
		if (s->size < s->need)
			return diag_kind(
				b->d, DIAG_TARGET, -EPERM,
				"%s: has %s, {~needs|the job needs} %s, and fiord makes no file anew that it "
				"has not made; remove it, or say "
				"{~recreate|allow_write=%s}",
				t->path, plan_bytes(b, s->size), plan_bytes(b, s->need), t->path);
		notes_add(&b->p->notes,
			  "%s: {create=always}: kept as it is, because fiord has not made it; "
			  "{+allow_write=%s} has "
			  "it made anew",
			  t->path, t->path);
		return 0;
	}
	if (b->p->set->run.readonly)
		return diag_kind(b->d, DIAG_TARGET, -EROFS,
				 "%s: {create=always} makes it anew, and --readonly was given", t->path);
	s->recreate = true;
	s->size = 0;
	return target_may_write(t->facts, t->path, &b->p->allow, b->d);
}

static int decide(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	struct target_state *s = state_of(b, pf);

	s->decided = true;
	s->layout = LAYOUT_NONE;
	s->from = 0;
	if (!s->used) {
		plan_meta_decide(s, pj);
		return 0;
	}
	if (s->exists && s->create_always) {
		int ret = renew(b, pf);

		if (ret)
			return ret;
	}
	if (!s->exists || s->recreate) {
		bool data = s->data || s->overwrite;

		s->layout = data ? LAYOUT_FILL : s->on_open ? LAYOUT_ON_OPEN : LAYOUT_CREATE;
		return 0;
	}
	if (s->size < s->need && (facts_of(b, pf)->type == TARGET_FILE || s->created) &&
	    !(s->on_open && !s->data))
		return lengthen(b, pj, pf);
	return 0;
}

/* Applies --readonly and allow_file_create=0. */
static int may_make(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	const struct target_state *s = state_of(b, pf);

	if (b->p->set->run.readonly && !s->exists)
		return diag_kind(b->d, DIAG_TARGET, -EROFS,
				 "%s: does not exist, and --readonly forbids to make it", t->path);
	if (pj->job->opts.files.allow_create || s->decided)
		return 0;
	if (!s->exists)
		return diag_kind(b->d, DIAG_TARGET, -ENOENT,
				 "%s: does not exist, and {allow_file_create=0} forbids to make it", t->path);
	if (s->size < s->need && t->facts->type != TARGET_BLOCK && t->facts->type != TARGET_CHAR)
		return diag_kind(b->d, DIAG_TARGET, -EPERM,
				 "%s: has %s, {~needs|the job needs} %s, and {allow_file_create=0} forbids "
				 "to lay it out%s",
				 t->path, plan_bytes(b, s->size), plan_bytes(b, s->need),
				 plan_overridden_size(b, pj->job));
	return 0;
}

static int settle(struct build *b, const struct plan_job *pj, struct plan_file *pf, uint32_t stage)
{
	struct target_state *s = state_of(b, pf);
	struct plan_target *t = &b->p->targets[pf->target];
	int ret = plan_is_meta(pj) ? plan_meta_admit(b, pj, pf, s) : admit(b, pj, pf);

	if (!ret)
		ret = may_make(b, pj, pf);
	if (!ret && pj->job->opts.files.unlink_each_loop && s->users > 1)
		ret = plan_err(b, pj->job, "unlink_each_loop",
			       "{unlink_each_loop=1}: another {~worker|worker} uses %s, too; give each files "
			       "of its own",
			       t->path);
	if (ret)
		return plan_error_at(b, pj->job, ret);
	t->write |= plan_writes(pj) || changes_names(pj);
	pf->owner = !s->decided;
	if (!s->decided)
		ret = plan_error_at(b, pj->job, decide(b, pj, pf));
	pf->layout = s->layout;
	pf->layout_from = s->from;
	if (s->need > pf->size)
		pf->size = s->need;
	pf->cell = s->cell;
	pf->early = s->overlap || s->first_stage == stage;
	pf->unlink = s->unlink;
	pf->fill = s->fill;
	pf->recreate = s->recreate;
	if (!ret)
		plan_overwrite(b, pj, pf);
	if (pf->owner && pf->layout == LAYOUT_FILL)
		b->p->layout_bytes += plan_layout_bytes(b->p, pf);
	return ret;
}

static void leave_behind(struct target_state *s, const struct target_facts *f)
{
	if (!s->exists)
		s->created = true;
	s->exists = true;
	if (f->type != TARGET_BLOCK && s->need > s->size)
		s->size = s->need;
}

/* Updates the state of the file after its users. Doing it once or for each user gives the same state. */
static int advance(struct build *b, const struct plan_job *pj, struct plan_file *pf, uint32_t stage)
{
	struct target_state *s = state_of(b, pf);

	(void)stage;
	if (changes_names(pj))
		plan_meta_advance(s, pj);
	else
		leave_behind(s, facts_of(b, pf));
	if (s->unlink && (s->created || facts_of(b, pf)->marked)) {
		s->exists = s->created = false;
		s->size = 0;
	}
	return 0;
}

/* Whether the layout of this file for this job is decided with `stage`. */
static bool in_unit(struct build *b, const struct plan_job *pj, const struct plan_file *pf, uint32_t stage)
{
	if (state_of(b, pf)->overlap)
		return stage == b->p->stages[stage].base;
	return pj->stage == stage;
}

static int each(struct build *b, uint32_t first, uint32_t stage,
		int (*act)(struct build *, const struct plan_job *, struct plan_file *, uint32_t))
{
	struct plan *p = b->p;
	int ret = 0;

	for (uint32_t i = first; i < p->njobs && !ret; i++) {
		if (p->jobs[i].job->engine->caps & (ENG_NOFILE | ENG_NOIO))
			continue;
		for (uint32_t k = 0; k < p->jobs[i].nfiles && !ret; k++) {
			struct plan_file *pf = &p->jobs[i].files[k];

			if (in_unit(b, pf->user, pf, stage))
				ret = act(b, pf->user, pf, stage);
		}
	}
	return ret;
}

int plan_layout_wave(struct build *b, uint32_t first)
{
	int ret = 0;

	for (uint32_t s = b->p->stages[b->p->nstages - 1].base; s < b->p->nstages && !ret; s++) {
		ret = each(b, first, s, want);
		ret = ret ? ret : each(b, first, s, settle);
		ret = ret ? ret : each(b, first, s, advance);
	}
	return ret;
}

uint64_t plan_layout_bytes(const struct plan *p, const struct plan_file *f)
{
	uint64_t bytes = f->size - f->layout_from, room = p->targets[f->target].facts->fs_free;

	return f->fill && bytes > room ? room : bytes;
}
