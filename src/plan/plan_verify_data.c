/* plan_verify_data.c: refuses files that cannot keep verified data, or that lack the data of an earlier run.
   fiord never creates or extends a file to verify it. */
#include <errno.h>
#include "plan_build.h"
#include "units.h"

static const char *option_of(const struct job *job)
{
	return job->opts.verify.only ? "verify_only" : "verify";
}

int plan_verify_data(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	uint64_t size;

	if (pj->job->opts.verify.format.kind == VERIFY_NONE)
		return 0;
	if (target_keeps_nothing(t->facts))
		return diag_kind(b->d, DIAG_TARGET, -EINVAL,
				 "%s: keeps nothing that is written to it, so {verify} needs a file or a "
				 "block device",
				 t->path);
	if (!job_checks_earlier(pj->job) || plan_wait_for_found(b, pj, pf->target, &size))
		return 0;
	return diag_kind(b->d, DIAG_TARGET, -ENOENT,
			 "%s: does not exist, but {~job|the job} checks data in it ({%s}); write them first, "
			 "with the same {verify}",
			 t->path, option_of(pj->job));
}

bool plan_verify_takes_short(const struct job *job)
{
	return job->opts.verify.state_load;
}

int plan_verify_length(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	uint64_t size;

	if (!job_checks_earlier(pj->job) || t->facts->type == TARGET_CHAR)
		return 0;
	plan_wait_for_found(b, pj, pf->target, &size);
	if (size >= pf->start + pf->len ||
	    (plan_verify_takes_short(pj->job) && t->facts->type == TARGET_FILE))
		return 0;
	return diag_kind(b->d, DIAG_TARGET, -EINVAL,
			 "%s: has %s, {~job|the job} checks %s ({%s}); choose the size that was written%s",
			 t->path, units_exact(size).text, units_exact(pf->start + pf->len).text,
			 option_of(pj->job), plan_overridden_size(b, pj->job));
}
