/* plan_submit.c: how many I/Os one call of the engine may submit.

   fio's default submits each I/O in a call of its own, so the block layer merges none. fiord submits several
   in one call where that makes no difference to the device (io/plug.c). */
#include "plan_build.h"
#include "io.h"

/* A call with n random I/Os has about n * n / blocks pairs of neighbours. With fewer than n * n blocks
   plug_run() would cut most calls, and blocks of different small files may be neighbours, too. */
static bool neighbours_are_common(uint64_t blocks, uint64_t n)
{
	return blocks < n * n;
}

/* Returns whether I/Os of a call are likely neighbours on the device, or may be neighbours although their
   offsets are not. */
static bool may_be_neighbours(const struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_job *of = pf->user;

	if (offset_partly_sequential(&of->job->opts.offset))
		return true;
	if (neighbours_are_common(pf->len / of->bs_max, pj->submit_max))
		return true;
	if (b->p->targets[pf->target].facts->type == TARGET_BLOCK)
		return false;
	/* the file system may place a block when it is written */
	return of->rw & RW_WRITE && of->job->opts.file.direct;
}

/* Limits calls for engines whose submits the kernel merges. */
static void keep_apart(const struct build *b, struct plan_job *pj)
{
	pj->submit_max = pj->depth < PLUG_MAX ? pj->depth : PLUG_MAX;
	for (uint32_t i = 0; i < pj->nfiles; i++)
		if (may_be_neighbours(b, pj, &pj->files[i]))
			pj->submit_max = PLUG_FREE;
	pj->submit_apart = pj->submit_max > PLUG_FREE;
}

static void limit_calls(const struct build *b, struct plan_job *pj)
{
	const struct queue_cfg *q = &pj->job->opts.queue;
	unsigned caps = pj->job->engine->caps;

	pj->submit_max = q->batch ? q->batch : caps & ENG_MERGES ? 1 : pj->depth;
	pj->reap_max = q->complete_max ? q->complete_max : pj->depth;
	if (q->batch || q->offload || !(caps & ENG_PLUGS) || pj->depth <= PLUG_FREE)
		return;
	keep_apart(b, pj);
	/* Reaps no more I/Os at once than a call submits. Otherwise completed I/Os would wait for a later
	   submit call although the job should keep them in flight. */
	if (!q->complete_max && !b->p->set->count_reap_waits)
		pj->reap_max = pj->submit_max;
}

void plan_submit(const struct build *b, struct plan_job *pj)
{
	limit_calls(b, pj);
	pj->serialize = pj->job->opts.queue.serialize && pj->depth > 1;
	pj->submit_cut = pj->submit_apart || pj->serialize || pj->single_trims || pj->held_writes;
}
