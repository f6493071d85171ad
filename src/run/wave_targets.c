/* wave_targets.c: the targets of a wave that is not the first, when it begins. */
#include "waves.h"

#include <errno.h>
#include <string.h>
#include "run.h"
#include "region.h"

/* What the checks of one wave share. */
struct wave_check {
	struct run *r;
	bool *permitted; /* by plan target, the first of its names */
	struct target_scan scan;
	struct target_owner_dir dir;
};

static bool changes(const struct plan_file *pf)
{
	const struct job *job = pf->user->job;

	return job_access(job) & (RW_WRITE | RW_TRIM) ||
	       job->engine->caps & (ENG_CHANGES_FILES | ENG_DELETES) || plan_lays_out(pf);
}

/* Returns whether the file has contents that the plan did not know of, and that this run did not write. */
static bool changed_by_others(const struct target_facts *before, const struct target_facts *now,
			      enum file_written written)
{
	if (before->type != TARGET_FILE || !(before->marked || before->holds_nothing))
		return false;
	return written ? now->mark_ended : !now->marked && !now->holds_nothing;
}

/* Returns 0, or -errno with d filled. A target that is missing, or is another file now, is left to the
   worker: it creates the first, and does not open the second. */
static int check_wave_target(struct wave_check *w, const struct plan_job *pj, const struct plan_target *t,
			     enum file_written written, struct diag *d)
{
	const struct target_allow *allow = &w->r->plan->allow;
	struct target_facts before, now;

	before = region_files_facts(&w->r->region, t, pj->job->engine->caps & ENG_DIRS);
	if (before.type != TARGET_FILE && before.type != TARGET_BLOCK)
		return 0;
	target_probe_next(&now, t->path, false, &w->scan);
	target_examine(&now, t->path, &w->dir);
	if (!target_is_same(&before, &now))
		return 0;
	if (target_may_write(&now, t->path, allow, d))
		return d->err;
	if (!plan_protects_files(w->r->plan, pj->job) || target_allowed(&now, t->path, allow) ||
	    !changed_by_others(&before, &now, written))
		return 0;
	return diag_kind(d, DIAG_TARGET, -EPERM,
			 "%s: refusing to write: another program has changed it since the start", t->path);
}

static int check_wave_file(struct wave_check *w, const struct plan_file *pf, struct diag *d)
{
	const struct plan_target *t = &w->r->plan->targets[pf->target];
	struct region_file *record = region_files_record(&w->r->region, t);
	enum file_written written = atomic_load_explicit(&record->written, memory_order_relaxed);
	int ret;

	if (w->permitted[t->same])
		return 0;
	ret = check_wave_target(w, pf->user, t, written, d);
	w->permitted[t->same] = !ret;
	if (written)
		atomic_store_explicit(&record->written, FILE_WRITTEN_BEFORE, memory_order_relaxed);
	return ret;
}

static void check_job(struct wave_check *w, uint32_t i)
{
	const struct plan_job *pj = &w->r->plan->jobs[i];
	struct diag d = { 0 };
	int ret = 0;

	if (pj->job->engine->caps & (ENG_NOFILE | ENG_NOIO) || run_phase(w->r, i) == PHASE_DONE)
		return;
	for (uint32_t k = 0; k < pj->nfiles && !ret; k++)
		if (changes(&pj->files[k]))
			ret = check_wave_file(w, &pj->files[k], &d);
	if (ret) {
		slot_error(run_slot(w->r, i), w->r->plan->set->speller, -ret, &d);
		waves_stop_job(w->r, i);
	}
	diag_fini(&d);
}

void wave_targets_check(struct run *r)
{
	struct wave_check w = { .r = r, .permitted = r->waves.permitted };

	memset(w.permitted, 0, r->plan->ntargets * sizeof(*w.permitted));
	for (uint32_t i = r->waves.first_job[r->wave]; i < r->waves.first_job[r->wave + 1]; i++)
		check_job(&w, i);
	target_scan_fini(&w.scan);
}
