/* check_verify_state.c: refuses saved states of verified writes that are not those of the job, and places
   where a state must not be saved. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cmd.h"
#include "check_outputs.h"
#include "verify_state_file.h"

static int check_load(const struct plan_job *pj, struct diag *d)
{
	const struct plan_verify *v = &pj->verify;
	struct verify_state_image image;
	int ret = verify_state_image_read(&image, v->state_path, d);

	if (!ret && verify_state_match(&image.state, v->settings, v->nsettings, d))
		ret = diag_wrap(d, "%s", v->state_path);
	if (!ret && !plan_verify_map_fits(pj, image.state.version, image.state.layout.map_bytes))
		ret = diag_err(d, -EINVAL, "%s: the map of the writes has another size than this job's",
			       v->state_path);
	verify_state_image_free(&image);
	return ret ? diag_wrap(d, "[%s]: {verify_state_load=1}", pj->job->name) : 0;
}

/* A state on the disk that it describes would be lost together with the writes. */
static int check_disks(const struct plan *p, const struct plan_job *pj, const struct target_facts *state,
		       struct diag *d)
{
	for (uint32_t i = 0; i < pj->nfiles; i++) {
		const struct plan_target *t = &p->targets[pj->files[i].target];
		const struct target_facts *f = t->facts;

		if (f->type == TARGET_BLOCK ? f->rdev == state->dev : f->dev == state->dev)
			return diag_err(
				d, -EINVAL,
				"[%s]: {verify_state_sync=%s}: is on the disk of %s; a state that must "
				"outlive a power loss belongs on another disk, because syncing it would "
				"sync the disk that is tested",
				pj->job->name, pj->job->opts.verify.state_sync, t->path);
	}
	return 0;
}

/* The file may have a name of the user's choice, so its content could be anything. */
static int check_content(const struct plan_job *pj, const struct target_facts *state, struct diag *d)
{
	struct verify_state_image image;
	struct diag ignored = { 0 };
	int ret;

	if (state->type != TARGET_FILE || state->size == 0)
		return 0;
	ret = verify_state_image_read(&image, pj->verify.state_path, &ignored);
	verify_state_image_free(&image);
	diag_fini(&ignored);
	if (!ret)
		return 0;
	return diag_err(
		d, -EEXIST,
		"[%s]: {verify_state_sync=%s}: %s exists and is no intact verify state; remove it first",
		pj->job->name, pj->job->opts.verify.state_sync, pj->verify.state_path);
}

/* Returns the end of a sentence that says why a state must not have this path; NULL if it may. */
static const char *not_replaced(const struct target_facts *f)
{
	if (f->symlink)
		return "which is a symbolic link";
	if (f->type == TARGET_MISSING && f->in_dev)
		return "and fiord creates no files below /dev";
	return f->type == TARGET_FILE || f->type == TARGET_MISSING ? NULL : "which is no regular file";
}

static int check_save(const struct plan *p, const struct plan_job *pj, struct diag *d)
{
	const char *path = pj->verify.state_path;
	bool synced = pj->job->opts.verify.state_sync;
	const char *option = synced ? "verify_state_sync" : "verify_state_save";
	struct target_facts f;
	int ret;

	target_probe(&f, path);
	if (check_is_target(p, &f, path))
		return diag_err(d, -EINVAL, "[%s]: {%s}: the state goes to %s, which is a target of the jobs",
				pj->job->name, option, path);
	if (!plan_verify_state_explicit(pj->job) && not_replaced(&f))
		return 0; /* check_verify_state_replaced adds a note, and the job saves no state */
	if (not_replaced(&f))
		return diag_err(d, -EINVAL, "[%s]: {%s}: the state goes to %s, %s%s", pj->job->name, option,
				path, not_replaced(&f),
				synced && f.type == TARGET_DIR ? "; end the name of a directory with a slash"
							       : "");
	if (f.type == TARGET_MISSING && f.parent_missing)
		return diag_err(d, -ENOENT, "[%s]: {%s}: %s: its directory does not exist", pj->job->name,
				option, path);
	if (!synced)
		return 0;
	ret = check_disks(p, pj, &f, d);
	return ret ? ret : check_content(pj, &f, d);
}

/* Returns an earlier job that saves its state into the same file, or NULL. */
static const struct plan_job *same_path(const struct plan *p, const struct plan_job *pj)
{
	for (uint32_t i = 0; i < pj->index; i++) {
		const struct plan_job *other = &p->jobs[i];

		if (other->verify.state_save && !strcmp(other->verify.state_path, pj->verify.state_path))
			return other;
	}
	return NULL;
}

/* Refuses two jobs that save into one file. */
static int check_same(const struct plan *p, const struct plan_job *pj, struct diag *d)
{
	const char *sync = pj->job->opts.verify.state_sync, *path = pj->verify.state_path;

	if (!plan_verify_state_explicit(pj->job) || !same_path(p, pj))
		return 0;
	if (sync && !strcmp(sync, path))
		return diag_err(d, -EINVAL,
				"[%s]: {verify_state_sync=%s}: another job or clone saves its state there; "
				"end the name with a slash to make it a directory of states",
				pj->job->name, path);
	return diag_err(d, -EINVAL,
			"[%s]: {%s}: another job saves its state in %s, too; give the jobs different names",
			pj->job->name, sync ? "verify_state_sync" : "verify_state_save", path);
}

int check_verify_state(const struct plan *p, const struct plan_job *pj, struct diag *d)
{
	const struct plan_verify *v = &pj->verify;
	int ret;

	if (v->state_load)
		return check_load(pj, d);
	if (!v->state_save)
		return 0;
	ret = check_same(p, pj, d);
	return ret ? ret : check_save(p, pj, d);
}

static void note_state(struct plan *p, const struct plan_job *pj, const char *text, struct diag *d)
{
	diag_wrap(d, "%s: {verify_state_save}: %s", pj->job->name, text);
	if (pj->clone == 0 && d->message)
		notes_add_message(&p->overwrite_notes, d->message);
}

/* Checks the existing file that the job's state will replace. There is no note if it is an earlier state of
   the same job. */
static void check_earlier(struct plan *p, struct plan_job *pj)
{
	struct plan_verify *v = &pj->verify;
	struct verify_state_image image;
	struct diag d = { 0 };

	if (!verify_state_image_read(&image, v->state_path, &d)) {
		if (verify_state_match(&image.state, v->settings, v->nsettings, &d) &&
		    diag_wrap(&d, "%s", v->state_path))
			note_state(p, pj, "replaces the state of another job", &d);
	} else if (plan_verify_state_explicit(pj->job)) {
		note_state(p, pj, "replaces a file", &d);
	} else {
		note_state(p, pj,
			   "the job saves no state, because it would replace a file that is not a state", &d);
		v->state_save = false;
	}
	verify_state_image_free(&image);
	diag_fini(&d);
}

/* Drops a state that the user did not ask for if it cannot be saved at its path. The job runs without it. */
static void drop_state(struct plan *p, struct plan_job *pj)
{
	const struct plan_job *other = same_path(p, pj);
	const char *path = pj->verify.state_path, *why;
	struct target_facts f;
	struct diag d = { 0 };

	target_probe(&f, path);
	why = not_replaced(&f);
	if (other)
		why = "where another job saves its state; give the jobs different names";
	if (!why)
		return;
	diag_err(&d, -EINVAL, "the state would go to %s, %s", path, why);
	note_state(p, pj, "the job saves no state", &d);
	pj->verify.state_save = false;
	diag_fini(&d);
}

void check_verify_state_replaced(struct plan *p)
{
	for (uint32_t i = 0; i < p->njobs; i++) {
		struct plan_job *pj = &p->jobs[i];

		if (pj->verify.state_save && !plan_verify_state_explicit(pj->job))
			drop_state(p, pj);
		if (pj->verify.state_save && !pj->job->opts.verify.state_sync &&
		    !access(pj->verify.state_path, F_OK))
			check_earlier(p, pj);
	}
}
