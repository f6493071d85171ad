/* plan_submit.c: how many I/Os one call of the engine may submit.

   fio's default submits each I/O in a call of its own, so the block layer merges none. fiord submits several
   in one call where that makes no difference to the device (io/plug.h). */
#include "plan_build.h"
#include "plug.h"

/* Files of fewer blocks than this lie so close together that blocks of different files may be neighbours. */
#define SMALL_FILE 16u

/* Whether the order of blocks in a file says nothing about their order on the disk. */
static bool places_unknown(const struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_job *of = pf->of;

	if (b->p->targets[pf->target].facts->type == TARGET_BLOCK)
		return false;
	if (of->rw & RW_WRITE && of->job->opts.file.direct)
		return true; /* the file system may place what is written when it is written */
	return pj->nfiles > 1 && pf->len / SMALL_FILE < of->bs_max;
}

void plan_submit(const struct build *b, struct plan_job *pj)
{
	const struct queue_cfg *q = &pj->job->opts.queue;

	unsigned caps = pj->job->engine->caps;

	pj->submit_max = q->batch ? q->batch : caps & ENG_JOINS ? 1 : pj->depth;
	if (q->batch || q->offload || !(caps & ENG_PLUGS) || pj->depth <= PLUG_FREE)
		return;
	pj->submit_apart = true;
	for (uint32_t i = 0; i < pj->nfiles; i++)
		if (places_unknown(b, pj, &pj->files[i]))
			pj->submit_max = PLUG_FREE;
}
