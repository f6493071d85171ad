/* plan_layout.c: chooses the files that a wave lays out and the worker of each, and refuses targets that may
   not be written. */
#include <errno.h>
#include <inttypes.h>
#include "plan_build.h"
#include "units.h"

static struct target_state *layout_state(struct build *b, const struct plan_file *pf)
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
static int add_needs(struct build *b, const struct plan_job *pj, struct plan_file *pf, uint32_t stage)
{
	struct target_state *s = layout_state(b, pf);
	const struct job_opts *o = &pj->job->opts;
	uint64_t need;

	if (s->stage_seen != stage + 1) {
		s->stage_seen = stage + 1;
		s->layout_index = b->p->nlayouts++;
		s->unlink = s->fill = s->create_always = s->recreate = false;
		s->needs_size = 0;
		s->needs_data = s->write = s->overwrite = s->layout_set = s->used = false;
		s->on_open = s->keep_content = true;
		s->users = s->creators = s->removers = 0;
		s->stat_size = 0;
	}
	s->users++;
	s->unlink |= o->files.unlink;
	if (plan_is_meta(pj)) {
		plan_meta_need(s, pj, pf);
		return 0;
	}
	s->used = true;
	s->fill |= o->files.fill;
	s->create_always |= o->files.create == CREATE_ALWAYS;
	need = plan_verify_takes_short(pj->job) && s->exists && s->size < pf->size ? s->size : pf->size;
	if (need > s->needs_size)
		s->needs_size = need;
	s->needs_data |= pj->rw & (RW_READ | RW_TRIM) && !plan_changes_files(pj);
	s->write |= plan_writes(pj);
	s->overwrite |= o->files.overwrite;
	s->keep_content &= o->files.append;
	s->on_open &= o->file.create_on_open;
	return 0;
}

/* Refuses to write files of opendir that fiord did not create, unless allow_write names them or their
   directory. */
static int check_tree_write(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	const char *dir = pj->job->opts.files.opendir;

	if (!dir || t->facts->marked || target_allowed(t->facts, t->path, &b->p->allow) ||
	    plan_targets_dir_allowed(b, dir))
		return 0;
	return diag_kind(b->d, DIAG_TARGET, -EPERM,
			 "%s: refusing to write: fiord did not create this file of {opendir=%s}; "
			 "{+allow_write=%s} permits writes to all files there",
			 t->path, dir, dir);
}

/* Refuses targets that the guard does not let this job write. */
static int check_write(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	bool write = plan_writes(pj);

	if (plan_changes_files(pj) && t->facts->type != TARGET_FILE && t->facts->type != TARGET_MISSING)
		return diag_kind(b->d, DIAG_TARGET, -EINVAL, "%s: {ioengine=%s} is for regular files",
				 t->path, pj->job->engine->name);
	if (write && pj->job->opts.files.allow_mounted_write && t->facts->type == TARGET_BLOCK &&
	    t->facts->refusal[0] && !target_allowed(t->facts, t->path, &b->p->allow))
		return diag_kind(b->d, DIAG_TARGET, -EPERM,
				 "%s: refusing to write: %s; {+allow_mounted_write=1} alone permits nothing, "
				 "{+allow_write=%s} %s",
				 t->path, t->facts->refusal, t->path,
				 t->facts->in_use ? "must stand beside it" : "does");
	if (write && (plan_overwrite_check(b, pj, pf) || check_tree_write(b, pj, t)))
		return b->d->err;
	if (write || t->facts->type == TARGET_MISSING)
		return target_may_write(t->facts, t->path, &b->p->allow, b->d);
	return 0;
}

/* Plans the layout of a file that exists but is shorter than the wave needs. */
static int extend_target(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	struct target_state *s = layout_state(b, pf);

	if (t->facts->write_error)
		return diag_kind(b->d, DIAG_TARGET, t->facts->write_error,
				 "%s: has %s, {~needs|the job needs} %s, but writing is not permitted: %s%s",
				 t->path, units_exact(s->size).text, units_exact(s->needs_size).text,
				 diag_errno(t->facts->write_error), plan_overridden_size(b, pj->job));
	s->layout = LAYOUT_FILL;
	if (s->write && !s->needs_data && !s->overwrite) {
		s->layout = LAYOUT_CREATE;
		return 0;
	}
	if (s->write && !s->overwrite) {
		s->layout_from = s->size;
		return 0;
	}
	s->layout_from = s->keep_content || s->fill ? s->size : 0;
	if (b->p->set->run.readonly)
		return diag_kind(b->d, DIAG_TARGET, -EROFS,
				 "%s: has %s, {~job|the job} reads %s, but --readonly forbids its layout%s",
				 t->path, units_exact(s->size).text, units_exact(s->needs_size).text,
				 plan_overridden_size(b, pj->job));
	if (s->write || s->created || t->facts->marked || target_allowed(t->facts, t->path, &b->p->allow))
		return 0;
	return diag_kind(
		b->d, DIAG_TARGET, -EPERM,
		"%s: has %s, {~job|the job} reads %s, but fiord does not rewrite a file that it did not "
		"create; choose a smaller size, or use {~recreate|allow_write=%s} to lay it out again%s",
		t->path, units_exact(s->size).text, units_exact(s->needs_size).text, t->path,
		plan_overridden_size(b, pj->job));
}

/* For create=always: truncates an existing file if fiord created it or allow_write names it. */
static int recreate(struct build *b, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	struct target_state *s = layout_state(b, pf);

	if (t->facts->type != TARGET_FILE && !s->created)
		return 0;
	if (!s->created && !t->facts->marked && !target_allowed(t->facts, t->path, &b->p->allow)) {
		if (s->size < s->needs_size)
			return diag_kind(
				b->d, DIAG_TARGET, -EPERM,
				"%s: has %s, {~needs|the job needs} %s, but fiord does not recreate a file "
				"that it did not create; remove it, or use {~recreate|allow_write=%s}",
				t->path, units_exact(s->size).text, units_exact(s->needs_size).text, t->path);
		notes_add(&b->p->notes,
			  "%s: {create=always}: not recreated, because fiord did not create it; "
			  "{+allow_write=%s} permits that",
			  t->path, t->path);
		return 0;
	}
	if (b->p->set->run.readonly)
		return diag_kind(b->d, DIAG_TARGET, -EROFS,
				 "%s: {create=always} recreates it, and --readonly was given", t->path);
	s->recreate = true;
	s->size = 0;
	return target_may_write(t->facts, t->path, &b->p->allow, b->d);
}

static int choose_layout(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	struct target_state *s = layout_state(b, pf);

	s->layout_set = true;
	s->layout = LAYOUT_NONE;
	s->layout_from = 0;
	if (!s->used) {
		plan_meta_layout(s, pj);
		return 0;
	}
	if (s->exists && s->create_always) {
		int ret = recreate(b, pf);

		if (ret)
			return ret;
	}
	if (!s->exists || s->recreate) {
		bool data = s->needs_data || s->overwrite;

		s->layout = data ? LAYOUT_FILL : s->on_open ? LAYOUT_ON_OPEN : LAYOUT_CREATE;
		return 0;
	}
	if (s->size < s->needs_size && (facts_of(b, pf)->type == TARGET_FILE || s->created) &&
	    !(s->on_open && !s->needs_data))
		return extend_target(b, pj, pf);
	return 0;
}

/* Applies --readonly and allow_file_create=0. */
static int check_create(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	const struct target_state *s = layout_state(b, pf);

	if (b->p->set->run.readonly && !s->exists)
		return diag_kind(b->d, DIAG_TARGET, -EROFS,
				 "%s: does not exist, and --readonly forbids its creation", t->path);
	if (pj->job->opts.files.allow_create || s->layout_set)
		return 0;
	if (!s->exists)
		return diag_kind(b->d, DIAG_TARGET, -ENOENT,
				 "%s: does not exist, and {allow_file_create=0} forbids its creation",
				 t->path);
	if (s->size < s->needs_size && t->facts->type != TARGET_BLOCK && t->facts->type != TARGET_CHAR)
		return diag_kind(b->d, DIAG_TARGET, -EPERM,
				 "%s: has %s, {~needs|the job needs} %s, but {allow_file_create=0} forbids "
				 "its layout%s",
				 t->path, units_exact(s->size).text, units_exact(s->needs_size).text,
				 plan_overridden_size(b, pj->job));
	return 0;
}

/* Refuses to lay out a file that other ranks use, too: they could find it half done, and skip their part. */
static int check_ranks(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	const struct target_state *s = layout_state(b, pf);

	if (b->p->set->run.rank.ranks < 2 || !pj->job->opts.files.rank_shared || s->layout == LAYOUT_NONE)
		return 0;
	return diag_kind(b->d, DIAG_TARGET, s->exists ? -EPERM : -ENOENT,
			 "%s: with {rank_shared=1} the file must have %s before the ranks start, and %s; lay "
			 "it out first: fiord --name=layout --filename=%s --rw=read --filesize=%" PRIu64
			 " --create_only=1",
			 t->path, units_exact(s->needs_size).text,
			 s->exists ? "is shorter" : "does not exist", t->path, s->needs_size);
}

/* Returns whether the job reads a file whatever its length, because it has no size. */
static bool reads_whole(const struct plan_job *pj)
{
	const struct files_cfg *c = &pj->job->opts.files;

	return pj->rw & RW_READ && !plan_writes(pj) &&
	       (c->fill || (!c->size.bytes && !c->size.percent && !c->filesize_lo));
}

static int set_layout(struct build *b, const struct plan_job *pj, struct plan_file *pf, uint32_t stage)
{
	struct target_state *s = layout_state(b, pf);
	struct plan_target *t = &b->p->targets[pf->target];
	int ret = plan_is_meta(pj) ? plan_meta_check(b, pj, pf, s) : check_write(b, pj, pf);

	if (!ret)
		ret = check_create(b, pj, pf);
	if (!ret && pj->job->opts.files.unlink_each_loop && s->users > 1)
		ret = plan_err(b, pj->job, "unlink_each_loop",
			       "{unlink_each_loop=1}: another {~worker|worker} uses %s, too; give each its "
			       "own files",
			       t->path);
	if (ret)
		return plan_error_at(b, pj->job, ret);
	t->write |= plan_writes(pj) || changes_names(pj);
	pf->owner = !s->layout_set;
	if (!s->layout_set)
		ret = plan_error_at(b, pj->job, choose_layout(b, pj, pf));
	if (!ret)
		ret = plan_error_at(b, pj->job, check_ranks(b, pj, pf));
	pf->layout = s->layout;
	pf->layout_from = s->layout_from;
	if (s->needs_size > pf->size)
		pf->size = s->needs_size;
	pf->layout_index = s->layout_index;
	pf->early = s->overlap || s->first_stage == stage;
	pf->unlink = s->unlink;
	pf->fill = s->fill;
	pf->filled = s->filled && reads_whole(pj);
	pf->recreate = s->recreate;
	if (!ret)
		plan_overwrite(b, pj, pf);
	if (pf->owner && pf->layout == LAYOUT_FILL)
		b->p->layout_bytes += plan_layout_bytes(b->p, pf);
	return ret;
}

static void set_state_after(struct target_state *s, const struct target_facts *f)
{
	if (!s->exists)
		s->created = true;
	s->exists = true;
	if (f->type != TARGET_BLOCK && s->needs_size > s->size)
		s->size = s->needs_size;
	s->filled |= s->fill && s->write && f->type != TARGET_BLOCK;
}

/* Updates the state of the file after its users. Doing it once or for each user gives the same state. */
static int update_state(struct build *b, const struct plan_job *pj, struct plan_file *pf, uint32_t stage)
{
	struct target_state *s = layout_state(b, pf);

	(void)stage;
	if (changes_names(pj))
		plan_meta_update(s, pj);
	else
		set_state_after(s, facts_of(b, pf));
	if (s->unlink && (s->created || facts_of(b, pf)->marked)) {
		s->exists = s->created = s->filled = false;
		s->size = 0;
	}
	return 0;
}

/* Returns whether the layout of this file for this job is decided with `stage`. */
static bool is_in_stage(struct build *b, const struct plan_job *pj, const struct plan_file *pf,
			uint32_t stage)
{
	if (layout_state(b, pf)->overlap)
		return stage == b->p->stages[stage].base;
	return pj->stage == stage;
}

static int for_each_file(struct build *b, uint32_t first, uint32_t stage,
			 int (*act)(struct build *, const struct plan_job *, struct plan_file *, uint32_t))
{
	struct plan *p = b->p;
	int ret = 0;

	for (uint32_t i = first; i < p->njobs && !ret; i++) {
		if (p->jobs[i].job->engine->caps & (ENG_NOFILE | ENG_NOIO))
			continue;
		for (uint32_t k = 0; k < p->jobs[i].nfiles && !ret; k++) {
			struct plan_file *pf = &p->jobs[i].files[k];

			if (is_in_stage(b, pf->user, pf, stage))
				ret = act(b, pf->user, pf, stage);
		}
	}
	return ret;
}

int plan_layout_wave(struct build *b, uint32_t first)
{
	int ret = 0;

	for (uint32_t s = b->p->stages[b->p->nstages - 1].base; s < b->p->nstages && !ret; s++) {
		ret = for_each_file(b, first, s, add_needs);
		ret = ret ? ret : for_each_file(b, first, s, set_layout);
		ret = ret ? ret : for_each_file(b, first, s, update_state);
	}
	return ret;
}

uint64_t plan_layout_bytes(const struct plan *p, const struct plan_file *f)
{
	uint64_t bytes = f->size - f->layout_from, room = p->targets[f->target].facts->fs_free;

	return f->fill && bytes > room ? room : bytes;
}
