/* plan_walk.c: clones whose I/O in order takes its offsets from one position (offset_shared). */
#include "plan_build.h"

/* The position of an earlier clone of the section on the same file; 0: none. */
static uint32_t walk_of(const struct plan *p, const struct plan_job *pj, const struct plan_file *pf)
{
	uint32_t same = p->targets[pf->target].same;

	for (uint32_t i = pj->index - pj->clone; i < pj->index; i++) {
		for (uint32_t k = 0; k < p->jobs[i].nfiles; k++) {
			const struct plan_file *other = &p->jobs[i].files[k];

			if (p->targets[other->target].same == same)
				return other->walk;
		}
	}
	return 0;
}

void plan_walks(struct build *b)
{
	struct plan *p = b->p;

	for (uint32_t i = 0; i < p->njobs; i++) {
		struct plan_job *pj = &p->jobs[i];

		for (uint32_t k = 0; k < pj->nfiles && offset_walks(&pj->job->opts.offset); k++) {
			struct plan_file *pf = &pj->files[k];

			if (!pj->job->opts.offset.shared)
				continue;
			pf->walk = walk_of(p, pj, pf);
			if (!pf->walk)
				pf->walk = ++p->nwalks;
		}
	}
}
