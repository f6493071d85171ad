/* plan_meta.c: jobs whose I/O is one operation on a whole file or directory: creates, stats, removes. */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include "plan_build.h"

static unsigned caps_of(const struct plan_job *pj)
{
	return pj->job->engine->caps;
}

/* Sets the range of a file. Each file gets one I/O whatever its size; the size is for layout. */
void plan_meta_range(struct plan_job *pj, struct plan_file *pf, uint64_t size)
{
	pf->start = 0;
	pf->len = pj->bs_min;
	pf->size = caps_of(pj) & (ENG_CREATES | ENG_DIRS) ? 0 : size;
}

void plan_meta_need(struct target_state *s, const struct plan_job *pj, const struct plan_file *pf)
{
	s->creators += (caps_of(pj) & ENG_CREATES) != 0;
	s->removers += (caps_of(pj) & ENG_DELETES) != 0;
	if (pf->size > s->stat_size)
		s->stat_size = pf->size;
}

static int refuse_target(struct build *b, const struct plan_target *t, const char *why)
{
	return diag_kind(b->d, DIAG_TARGET, -EPERM, "%s: %s", t->path, why);
}

static bool parent_allowed(const struct build *b, const char *path)
{
	char name[PATH_MAX];

	if ((size_t)snprintf(name, sizeof(name), "%s", path) >= sizeof(name))
		return false;
	return plan_targets_dir_allowed(b, dirname(name));
}

/* Refuses to remove files, unless fiord created them or allow_write names them. */
static int check_remove(struct build *b, const struct plan_target *t, const struct target_state *s)
{
	if (s->created || t->facts->type == TARGET_MISSING)
		return 0;
	if (t->facts->symlink)
		return refuse_target(b, t, "refusing to remove: it is a symbolic link");
	if (t->facts->marked || target_allowed(t->facts, t->path, &b->p->allow) ||
	    plan_targets_dir_allowed(b, t->path) || parent_allowed(b, t->path))
		return 0;
	return diag_kind(b->d, DIAG_TARGET, -EPERM,
			 "%s: refusing to remove: fiord did not create it (it lacks the mark " TARGET_MARK
			 "); {+allow_write=%s}, or the same with its directory, permits it",
			 t->path, t->path);
}

static int check_type(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	unsigned caps = caps_of(pj);
	enum target_type type = t->facts->type;

	if (type == TARGET_MISSING)
		return 0;
	if (caps & ENG_DIRS && type != TARGET_DIR)
		return refuse_target(b, t, "is not a directory");
	if (!(caps & ENG_DIRS) && type == TARGET_DIR)
		return refuse_target(b, t,
				     "is a directory; use the engines dircreate, dirstat and dirdelete");
	if (caps & (ENG_CREATES | ENG_DELETES) && type != TARGET_FILE && type != TARGET_DIR)
		return refuse_target(b, t, "is not a regular file");
	return 0;
}

static int check_sole_user(struct build *b, const struct plan_target *t, const struct target_state *s)
{
	if (s->users < 2 || !(s->creators || s->removers))
		return 0;
	return diag_kind(b->d, DIAG_TARGET, -EINVAL,
			 "%s: one job %s it while another uses it; put {+stonewall} between them, or give "
			 "each {~worker|worker} its own files",
			 t->path, s->creators ? "creates" : "removes");
}

static int check_create(struct build *b, const struct plan_job *pj, const struct plan_target *t,
			const struct target_state *s)
{
	if (!s->exists)
		return target_may_write(t->facts, t->path, &b->p->allow, b->d);
	if (caps_of(pj) & ENG_DIRS)
		return diag_kind(b->d, DIAG_TARGET, -EEXIST,
				 "%s: exists already; dircreate creates new directories (dirdelete removes "
				 "those that fiord created)",
				 t->path);
	if (!b->existing_files++)
		notes_add(&b->p->notes,
			  "%s: %s exists already: existing files are opened, which takes less time than "
			  "creating them",
			  pj->job->name, t->path);
	return 0;
}

/* Checks a file that the job only stats. As in fio a missing file is laid out if the job has its size. */
static int check_stat(struct build *b, const struct plan_job *pj, const struct plan_file *pf,
		      const struct plan_target *t, const struct target_state *s)
{
	if (s->exists || s->used)
		return 0;
	if (pj->job->opts.file.create_on_open)
		return diag_kind(b->d, DIAG_TARGET, -ENOENT,
				 "%s: does not exist, and {create_on_open=1} prevents its layout", t->path);
	if (!pf->size && !(caps_of(pj) & ENG_DIRS))
		return plan_err(b, pj->job, NULL,
				"%s does not exist; name existing files, or use {+filesize=} to lay them out",
				t->path);
	return target_may_write(t->facts, t->path, &b->p->allow, b->d);
}

int plan_meta_check(struct build *b, const struct plan_job *pj, const struct plan_file *pf,
		    const struct target_state *s)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	int ret;

	ret = check_type(b, pj, t);
	if (!ret)
		ret = check_sole_user(b, t, s);
	if (!ret && caps_of(pj) & ENG_CREATES)
		return check_create(b, pj, t, s);
	if (!ret && caps_of(pj) & ENG_DELETES)
		ret = check_remove(b, t, s);
	return ret ? ret : check_stat(b, pj, pf, t, s);
}

/* Decides what must exist before the clock starts. */
void plan_meta_layout(struct target_state *s, const struct plan_job *pj)
{
	s->needs_size = s->stat_size;
	s->layout = LAYOUT_NONE;
	if (s->exists || s->creators)
		return;
	s->layout = pj->job->opts.file.fallocate == FALLOC_NONE && !(caps_of(pj) & ENG_DIRS) ? LAYOUT_FILL
											     : LAYOUT_CREATE;
}

void plan_meta_update(struct target_state *s, const struct plan_job *pj)
{
	if (caps_of(pj) & ENG_CREATES && !s->exists)
		s->size = 0;
	if (caps_of(pj) & ENG_CREATES) {
		s->created |= !s->exists;
		s->exists = true;
	}
	if (caps_of(pj) & ENG_DELETES) {
		s->exists = s->created = false;
		s->size = 0;
	}
}
