/* plan_rates.c: rate_shared: jobs of one stage share a rate by name. */
#include <string.h>
#include "plan_build.h"

static bool same_rate(const struct job_opts *a, const struct job_opts *b)
{
	return !memcmp(a->pace.rate, b->pace.rate, sizeof(a->pace.rate)) &&
	       !memcmp(a->pace.rate_iops, b->pace.rate_iops, sizeof(a->pace.rate_iops)) &&
	       a->pace.process == b->pace.process && a->pace.open == b->pace.open;
}

/* Returns whether the I/Os of both jobs have one size. An open rate in bytes needs that, because it is
   counted in I/Os. */
static bool same_sizes(const struct job_opts *a, const struct job_opts *b)
{
	for (unsigned d = 0; d < DIR_DATA; d++) {
		unsigned bit = 1u << d;

		if (a->pace.rate[d] && bsize_min(&a->offset.bsize, bit) != bsize_min(&b->offset.bsize, bit))
			return false;
	}
	return true;
}

static int check_shared_rate(struct build *b, const struct job *job, const struct job *first)
{
	const struct job_opts *o = &job->opts, *f = &first->opts;

	if (!same_rate(o, f))
		return plan_err(b, job, "rate_shared",
				"{rate_shared=%s}: [%s] shares this rate, and both need the same {rate}, "
				"{rate_iops}, {rate_process} and {rate_open}",
				o->pace.shared, first->name);
	if (o->time.ramp_ns != f->time.ramp_ns)
		return plan_err(b, job, "rate_shared",
				"{rate_shared=%s}: [%s] shares this rate, and both need the same {ramp_time}",
				o->pace.shared, first->name);
	if (o->pace.open && !same_sizes(o, f))
		return plan_err(
			b, job, "rate_shared",
			"{rate_shared=%s}: [%s] shares this rate, and with {rate} and {rate_open} both "
			"need the same {bs} (or {rate_iops})",
			o->pace.shared, first->name);
	return 0;
}

static struct plan_share *find_share(struct plan *p, const char *name, uint32_t stage)
{
	for (uint32_t i = 0; i < p->nshares; i++) {
		if (p->shares[i].stage == stage && !strcmp(p->shares[i].name, name))
			return &p->shares[i];
	}
	return NULL;
}

int plan_rates(struct build *b)
{
	struct plan *p = b->p;
	int ret = 0;

	p->shares = arena_array(&p->arena, p->njobs, sizeof(*p->shares));
	if (!p->shares)
		return plan_no_memory(b);
	for (uint32_t i = 0; i < p->njobs && !ret; i++) {
		struct plan_job *pj = &p->jobs[i];
		const char *name = pj->job->opts.pace.shared;
		struct plan_share *s;

		if (!name || !*name || pj->job->engine->caps & ENG_NOIO)
			continue;
		s = find_share(p, name, pj->stage);
		if (!s) {
			s = &p->shares[p->nshares++];
			*s = (struct plan_share){
				.name = name, .stage = pj->stage, .seed = pj->seed, .first_job = pj->job
			};
		}
		s->members++;
		pj->share = 1 + (uint32_t)(s - p->shares);
		ret = check_shared_rate(b, pj->job, s->first_job);
	}
	return ret;
}
