/* plan_content.c: divides the generated content of a run among its jobs. */
#include "plan_build.h"
#include "rng.h"

/* Returns whether the jobs share a working set of duplicates: both have dedupe_global and the same kind of
   blocks. */
static bool shares_duplicates(const struct plan_job *a, const struct plan_job *b)
{
	const struct buffer_cfg *x = &a->job->opts.buffer, *y = &b->job->opts.buffer;

	return x->dedupe && y->dedupe && x->dedupe_global && y->dedupe_global &&
	       a->content.unit == b->content.unit && x->compress == y->compress &&
	       x->compress_chunk == y->compress_chunk &&
	       a->job->opts.offset.randseed == b->job->opts.offset.randseed &&
	       a->job->opts.offset.randrepeat == b->job->opts.offset.randrepeat &&
	       a->job->opts.offset.allrandrepeat == b->job->opts.offset.allrandrepeat;
}

static void set_content(struct plan_job *pj)
{
	unsigned dirs = pj->rw & RW_WRITE ? RW_WRITE : pj->rw;
	struct content_geometry *c = &pj->content;

	if (!pj->nfiles) /* a job without I/O */
		return;
	c->seed = rng_mix64(pj->content_seed + 1);
	c->unit = bsize_min(&pj->job->opts.offset.bsize, dirs);
	c->block = pj->bs_max;
	c->units = pj->pass_bytes / c->unit;
	c->reads = pj->rw & RW_READ;
}

/* Sections share buffers, so a buffer may hold data of another section. */
static void set_member_content(struct plan_job *pj)
{
	set_content(pj);
	pj->content.reads = true;
}

/* Sets the shares of job `first` and of all jobs that share with it. */
static void set_content_shares(struct build *b, uint32_t first)
{
	struct plan_job *jobs = b->p->jobs, *one = &jobs[first];
	uint64_t seed = rng_mix64(plan_content_seed(b, one->job, plan_seed(b, one->job))), units = 0;
	uint32_t n = 0;

	for (uint32_t i = first; i < b->p->njobs; i++) {
		if (!shares_duplicates(one, &jobs[i]))
			continue;
		jobs[i].content.share = n++;
		units += jobs[i].content.units;
	}
	for (uint32_t i = first; i < b->p->njobs; i++) {
		if (!shares_duplicates(one, &jobs[i]))
			continue;
		jobs[i].content.seed = seed;
		jobs[i].content.shares = n;
		jobs[i].content.units = units;
	}
}

int plan_content(struct build *b)
{
	struct plan *p = b->p;

	for (uint32_t i = 0; i < p->njobs; i++) {
		set_content(&p->jobs[i]);
		for (uint32_t k = 0; k < p->jobs[i].nmembers; k++)
			set_member_content(&p->jobs[i].members[k]);
	}
	for (uint32_t i = 0; i < p->njobs; i++) {
		if (shares_duplicates(&p->jobs[i], &p->jobs[i]) && p->jobs[i].content.shares == 0)
			set_content_shares(b, i);
	}
	return 0;
}
