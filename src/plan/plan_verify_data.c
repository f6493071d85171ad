/* plan_verify_data.c: whether the files of a job that verifies have, or keep, the data. fiord never creates
   or extends a file to verify it. */
#include <errno.h>
#include "plan_build.h"

/* The option that makes the job verify earlier data, for the beginning of an error. */
static const char *option_of(const struct job *job)
{
	return job->opts.verify.only ? "verify_only" : "verify";
}

int plan_verify_data(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	enum verify_kind kind = pj->job->opts.verify.format.kind;
	uint64_t size;

	if (kind == VERIFY_NONE)
		return 0;
	if (target_keeps_nothing(t->facts))
		return plan_err(b, pj->job, "verify",
				"{verify=%s}: %s does not keep what is written to it; verify a file or a "
				"block device",
				verify_kinds[kind].name, t->path);
	if (!job_checks_earlier(pj->job) || plan_wait_for_found(b, pj, pf->target, &size))
		return 0;
	return plan_err(b, pj->job, option_of(pj->job),
			"{%s}: %s does not exist, so there is nothing to verify; write it first, with the "
			"same {verify}",
			option_of(pj->job), t->path);
}

int plan_verify_length(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	uint64_t size;

	if (!job_checks_earlier(pj->job) || t->facts->type == TARGET_CHAR)
		return 0;
	plan_wait_for_found(b, pj, pf->target, &size);
	if (size >= pf->start + pf->len)
		return 0;
	return plan_err(b, pj->job, option_of(pj->job),
			"{%s}: %s has %s, but the job verifies %s; choose the size that was "
			"written%s",
			option_of(pj->job), t->path, plan_bytes(b, size), plan_bytes(b, pf->start + pf->len),
			plan_overridden_size(b, pj->job));
}
