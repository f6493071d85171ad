/* plan_overlap.c: finds the files of one job that other jobs use, too. It is fast enough for a job with a
   million files. */
#include <stdlib.h>
#include "plan_build.h"

static uint32_t *first_of(const struct plan_overlap *o, const struct plan *p, const struct plan_file *f)
{
	return &o->first[p->targets[f->target].same];
}

static void forget(struct plan_overlap *o, const struct plan *p)
{
	for (uint32_t i = 0; o->job && i < o->job->nfiles; i++)
		*first_of(o, p, &o->job->files[i]) = 0;
	o->job = NULL;
}

bool plan_overlap_set(struct plan_overlap *o, const struct plan *p, const struct plan_job *pj)
{
	if (o->job == pj)
		return true;
	if (!o->first)
		o->first = calloc((size_t)p->ntargets + 1, sizeof(*o->first));
	if (!o->first)
		return false;
	forget(o, p);
	free(o->next);
	o->next = calloc((size_t)pj->nfiles + 1, sizeof(*o->next));
	if (!o->next)
		return false;
	o->job = pj;
	for (uint32_t i = pj->nfiles; i-- > 0;) {
		uint32_t *first = first_of(o, p, &pj->files[i]);

		o->next[i] = *first;
		*first = i + 1;
	}
	return true;
}

const struct plan_file *plan_overlap_next(const struct plan_overlap *o, const struct plan *p,
					  const struct plan_file *f, const struct plan_file *before)
{
	uint32_t i = before ? o->next[before - o->job->files] : *first_of(o, p, f);

	return i ? &o->job->files[i - 1] : NULL;
}

void plan_overlap_fini(struct plan_overlap *o)
{
	free(o->first);
	free(o->next);
	*o = (struct plan_overlap){ 0 };
}
