/* plan_trims.c: how many trims of a job are in flight. */
#include "plan_build.h"

static bool has_trims_alone(const struct plan_job *pj)
{
	return pj->rw & RW_TRIM && !(pj->rw & (RW_READ | RW_WRITE | RW_TRIMWRITE)) &&
	       !pj->job->opts.queue.per_file && !pj->nmembers;
}

/* Returns the first target whose trims the engine cannot queue, or NULL. */
static const struct plan_target *unqueued(const struct build *b, const struct plan_job *pj)
{
	for (uint32_t i = 0; i < pj->nfiles; i++) {
		const struct plan_target *t = &b->p->targets[pj->files[i].target];

		if (!t->facts->queued_trims || pj->files[i].zone_size)
			return t;
	}
	return NULL;
}

static void note_single(const struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	const char *why = t->facts->zones ? "a call resets one zone"
			  : t->facts->type == TARGET_BLOCK
				  ? "queueing trims of devices needs Linux 6.12 or later"
				  : "Linux queues trims of block devices only";

	if (!plan_is_first(b, pj))
		return;
	if (has_trims_alone(pj))
		notes_add(&b->p->notes, "%s: trims of %s run one at a time: %s, so the depth is 1, not %u",
			  pj->job->name, t->path, why, pj->depth);
	else
		notes_add(&b->p->notes, "%s: trims of %s run one at a time at any {iodepth}: %s",
			  pj->job->name, t->path, why);
}

const char *plan_trim_call(const struct plan *p, const struct plan_job *pj)
{
	const struct engine *e = pj->job->engine;
	const struct target_facts *f = pj->nfiles ? p->targets[pj->files[0].target].facts : NULL;
	bool zeroout = pj->job->opts.file.trim_kind == TRIM_ZEROOUT;

	if (!((pj->rw | job_access(pj->job)) & RW_TRIM) || !f ||
	    e->caps & (ENG_VIRTUAL | ENG_META | ENG_NOIO | ENG_CHANGES_FILES))
		return NULL;
	if (e->caps & ENG_PASSTHROUGH)
		return e->caps & ENG_SCSI ? "UNMAP" : "Dataset Management (deallocate)";
	if (f->type != TARGET_BLOCK)
		return zeroout ? "fallocate with FALLOC_FL_ZERO_RANGE"
			       : "fallocate with FALLOC_FL_PUNCH_HOLE";
	if (f->zones)
		return "BLKRESETZONE";
	if (zeroout)
		return "BLKZEROOUT";
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
	pj->single_trims = pj->job->opts.file.trim_kind != TRIM_DISCARD || !e->queues_trims ||
			   !e->queues_trims(pj->job->engine_opts, -1);
	t = pj->single_trims ? NULL : unqueued(b, pj);
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
