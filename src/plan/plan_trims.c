/* plan_trims.c: how many trims of a job are in flight. */
#include "plan_build.h"

static bool has_trims_alone(const struct plan_job *pj)
{
	return pj->rw & RW_TRIM && !(pj->rw & (RW_READ | RW_WRITE | RW_TRIMWRITE)) &&
	       !pj->job->opts.queue.per_file && !pj->nmembers;
}

static bool one_target(const struct plan *p, const struct plan_job *pj)
{
	for (uint32_t i = 1; i < pj->nfiles; i++)
		if (p->targets[pj->files[i].target].same != p->targets[pj->files[0].target].same)
			return false;
	return true;
}

/* Returns whether fallocate does the trims of a target. Linux does one at a time for each file or device, so
   queueing them helps those of several, and other I/Os of the job. */
static bool by_fallocate(const struct plan_job *pj, const struct target_facts *f)
{
	return f->type != TARGET_BLOCK || pj->job->opts.file.trim_kind == TRIM_ZEROOUT;
}

static bool queues(const struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct target_facts *f = b->p->targets[pf->target].facts;

	if (pf->zone_size)
		return false;
	if (!by_fallocate(pj, f))
		return f->queued_trims;
	return pj->job->engine->caps & ENG_QUEUES_FALLOCATE && !(has_trims_alone(pj) && one_target(b->p, pj));
}

/* Returns the first target whose trims the engine does not queue, or NULL. */
static const struct plan_target *first_unqueued(const struct build *b, const struct plan_job *pj)
{
	for (uint32_t i = 0; i < pj->nfiles; i++)
		if (!queues(b, pj, &pj->files[i]))
			return &b->p->targets[pj->files[i].target];
	return NULL;
}

static void note_single(const struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	const char *why = t->facts->zones ? "a call resets one zone"
			  : by_fallocate(pj, t->facts)
				  ? "Linux punches or zeroes one range of a target at a time"
				  : "queueing trims of devices needs Linux 6.12 or later";

	if (!plan_is_first(b, pj))
		return;
	if (has_trims_alone(pj))
		notes_add(&b->p->notes, "%s: trims of %s run one at a time: %s, so the depth is 1, not %u",
			  pj->job->name, t->path, why, pj->depth);
	else
		notes_add(&b->p->notes, "%s: trims of %s run one at a time at any {iodepth}: %s",
			  pj->job->name, t->path, why);
}

/* Notes that the engine has no call that queues the trims of trim_percentage. For those of rw the rules of
   the options do it. */
static void note_engine(const struct build *b, const struct plan_job *pj)
{
	const struct engine *e = pj->job->engine;

	if (pj->job->opts.verify.trim_percentage && plan_is_first(b, pj))
		notes_add(&b->p->notes,
			  "%s: the trims of {trim_percentage} run one at a time at any {iodepth}: %s has no "
			  "asynchronous call for them%s",
			  pj->job->name, e->name, e->queues_trims ? " with these options" : "");
}

static const char *fallocate_mode(const struct plan_job *pj)
{
	if (pj->job->opts.file.trim_kind == TRIM_ZEROOUT)
		return pj->queued_trims ? "IORING_OP_FALLOCATE with FALLOC_FL_ZERO_RANGE, queued"
					: "fallocate with FALLOC_FL_ZERO_RANGE";
	return pj->queued_trims ? "IORING_OP_FALLOCATE with FALLOC_FL_PUNCH_HOLE, queued"
				: "fallocate with FALLOC_FL_PUNCH_HOLE";
}

const char *plan_trim_call(const struct plan *p, const struct plan_job *pj)
{
	const struct engine *e = pj->job->engine;
	const struct target_facts *f = pj->nfiles ? p->targets[pj->files[0].target].facts : NULL;
	enum trim_kind kind = pj->job->opts.file.trim_kind;

	if (!((pj->rw | job_access(pj->job)) & RW_TRIM) || !f ||
	    e->caps & (ENG_VIRTUAL | ENG_META | ENG_NOIO | ENG_CHANGES_FILES))
		return NULL;
	if (e->caps & ENG_PASSTHROUGH && !(e->caps & ENG_SCSI) && f->zones)
		return "Zone Management Send (reset)";
	if (e->caps & ENG_PASSTHROUGH && !f->zones)
		return e->caps & ENG_SCSI ? "UNMAP" : "Dataset Management (deallocate)";
	if (f->zones)
		return "BLKRESETZONE";
	if (f->type != TARGET_BLOCK || (kind == TRIM_ZEROOUT && pj->queued_trims))
		return fallocate_mode(pj);
	if (kind != TRIM_DISCARD)
		return kind == TRIM_ZEROOUT ? "BLKZEROOUT" : "BLKSECDISCARD";
	return pj->queued_trims ? "BLOCK_URING_CMD_DISCARD, queued" : "BLKDISCARD";
}

void plan_trims(struct build *b, struct plan_job *pj)
{
	const struct engine *e = pj->job->engine;
	const struct plan_target *t;

	if (!((pj->rw | job_access(pj->job)) & RW_TRIM) || e->caps & ENG_VIRTUAL || pj->depth <= 1)
		return;
	if (pj->job->opts.queue.offload)
		pj->held_writes = pj->rw & RW_TRIMWRITE;
	if (pj->job->opts.queue.offload || e->caps & ENG_SYNC)
		return;
	pj->single_trims = pj->job->opts.file.trim_kind == TRIM_SECURE || !e->queues_trims ||
			   !e->queues_trims(pj->job->engine_opts, -1);
	if (pj->single_trims)
		note_engine(b, pj);
	t = pj->single_trims ? NULL : first_unqueued(b, pj);
	if (t) {
		note_single(b, pj, t);
		pj->single_trims = true;
	}
	pj->queued_trims = !pj->single_trims;
	pj->held_writes = pj->queued_trims && pj->rw & RW_TRIMWRITE;
	if (pj->single_trims && has_trims_alone(pj)) {
		pj->depth = 1;
		pj->single_trims = false;
	}
}
