/* plan_shared_offset.c: offset_shared: clones take sequential offsets from one shared position. */
#include "plan_build.h"

/* Returns the shared position that an earlier clone of the section has for the same file; 0 if there is
   none. */
static uint32_t shared_position_of(const struct build *b, const struct plan_job *pj,
				   const struct plan_file *pf)
{
	const struct plan *p = b->p;
	uint32_t same = p->targets[pf->target].same;

	for (uint32_t i = b->section[pj->section].first; i < pj->index; i++) {
		for (uint32_t k = 0; k < p->jobs[i].nfiles; k++) {
			const struct plan_file *other = &p->jobs[i].files[k];

			if (p->targets[other->target].same == same && other->user->job == pf->user->job)
				return other->shared_position;
		}
	}
	return 0;
}

int plan_shared_offset(struct build *b)
{
	struct plan *p = b->p;

	for (uint32_t i = 0; i < p->njobs; i++) {
		struct plan_job *pj = &p->jobs[i];

		for (uint32_t k = 0; k < pj->nfiles; k++) {
			struct plan_file *pf = &pj->files[k];
			const struct offset_cfg *o = &pf->user->job->opts.offset;

			if (!o->shared || !offset_wraps(o))
				continue;
			pf->shared_position = shared_position_of(b, pj, pf);
			if (!pf->shared_position)
				pf->shared_position = ++p->nshared_positions;
		}
	}
	return 0;
}
