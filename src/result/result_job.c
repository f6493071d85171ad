#include "result_job.h"

#include <string.h>
#include "result.h"
#include "vec.h"

const struct result_opt *result_copy_options(struct result *r, const struct result_opt *opt, size_t n)
{
	struct result_opt *copy;

	if (!n)
		return NULL;
	copy = arena_array(&r->mem, n, sizeof(*copy));
	if (!copy) {
		r->failed = true;
		return NULL;
	}
	for (size_t i = 0; i < n; i++) {
		copy[i].name = result_copy_text(r, opt[i].name);
		copy[i].value = result_copy_text(r, opt[i].value ? opt[i].value : "");
	}
	return copy;
}

struct result_job result_job_mixed(const struct result_job *job)
{
	struct result_job all = *job;

	memset(all.sum.dir, 0, sizeof(all.sum.dir));
	memset(all.bins, 0, sizeof(all.bins));
	memcpy(all.bins[DIR_READ], job->bins_both, sizeof(job->bins_both));
	memset(all.prios, 0, sizeof(all.prios));
	all.sum.dir[DIR_READ] = job->sum_both;
	all.mixed = true;
	return all;
}

static const uint64_t *copy_numbers(struct result *r, const uint64_t *v, size_t n)
{
	uint64_t *copy = n ? arena_array(&r->mem, n, sizeof(*copy)) : NULL;

	if (n && !copy)
		r->failed = true;
	else if (n)
		memcpy(copy, v, n * sizeof(*copy));
	return copy;
}

static void copy_bins(struct result *r, struct result_bins *b)
{
	b->ns = copy_numbers(r, b->ns, b->n);
	b->count = copy_numbers(r, b->count, b->n);
	if (!b->ns || !b->count)
		b->n = 0;
}

static const struct result_prio *copy_prios(struct result *r, const struct result_prio *v, unsigned *n)
{
	struct result_prio *copy = *n ? arena_array(&r->mem, *n, sizeof(*copy)) : NULL;

	if (*n && !copy) {
		r->failed = true;
		*n = 0;
	}
	for (unsigned i = 0; i < *n; i++) {
		copy[i] = v[i];
		copy_bins(r, &copy[i].bins);
	}
	return copy;
}

void result_job_steady(struct result *r, struct result_job *job, const struct result_steady *steady)
{
	struct result_steady *s = &job->steady;

	*s = *steady;
	s->ss = result_copy_text(r, s->ss);
	s->criterion = result_copy_text(r, s->criterion);
	s->iops = copy_numbers(r, s->iops, s->iops ? s->samples : 0);
	s->bw = copy_numbers(r, s->bw, s->bw ? s->samples : 0);
	s->lat = copy_numbers(r, s->lat, s->lat ? s->samples : 0);
}

void result_job_latency_target(struct result *r, struct result_job *job,
			       const struct result_latency_target *search)
{
	struct result_latency_target *to = &job->latency_target;
	struct result_depth_step *copy;

	*to = *search;
	to->steps = NULL;
	if (!search->nsteps)
		return;
	copy = arena_array(&r->mem, search->nsteps, sizeof(*copy));
	if (!copy) {
		to->nsteps = 0;
		r->failed = true;
		return;
	}
	memcpy(copy, search->steps, search->nsteps * sizeof(*copy));
	to->steps = copy;
}

void result_job_rate_steps(struct result *r, struct result_job *job, const struct result_rate_steps *steps)
{
	struct result_rate_step *copy =
		steps->nsteps ? arena_array(&r->mem, steps->nsteps, sizeof(*copy)) : NULL;

	job->rate_steps = *steps;
	job->rate_steps.steps = copy;
	if (!copy) {
		r->failed |= steps->nsteps != 0;
		job->rate_steps.nsteps = 0;
		return;
	}
	memcpy(copy, steps->steps, steps->nsteps * sizeof(*copy));
	for (size_t i = 0; i < steps->nsteps; i++)
		for (unsigned dir = 0; dir < DIR_DATA; dir++)
			for (unsigned kind = 0; kind < STEP_LATS; kind++)
				copy_bins(r, &copy[i].dir[dir].lat[kind].bins);
}

struct result_job *result_add_job(struct result *r, const struct result_job *job)
{
	struct result_job *j = arena_alloc(&r->mem, sizeof(*j));
	struct {
		struct result_job **v;
		size_t n, cap;
	} list = { r->jobs, r->njobs, r->jobs_cap };

	if (!j || !VEC_PUSH(&list, j)) {
		r->failed = true;
		return NULL;
	}
	r->jobs = list.v;
	r->njobs = list.n;
	r->jobs_cap = list.cap;
	*j = *job;
	j->members = job->members ? job->members : 1;
	j->name = result_copy_text(r, job->name);
	j->description = result_copy_text(r, job->description);
	j->hostname = result_copy_text(r, job->hostname);
	j->error_text = result_copy_text(r, job->error_text);
	j->lost_reason = result_copy_text(r, job->lost_reason);
	j->rw = result_copy_text(r, job->rw);
	j->bs = result_copy_text(r, job->bs);
	j->engine = result_copy_text(r, job->engine);
	j->options = result_copy_options(r, job->options, job->noptions);
	j->noptions = j->options ? job->noptions : 0;
	for (unsigned kind = 0; kind < LAT_KINDS; kind++) {
		for (unsigned dir = 0; dir < DIR_COUNT; dir++)
			copy_bins(r, &j->bins[dir][kind]);
		copy_bins(r, &j->bins_both[kind]);
	}
	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		j->prio[dir] = copy_prios(r, j->prio[dir], &j->prios[dir]);
	result_job_steady(r, j, &job->steady);
	result_job_latency_target(r, j, &job->latency_target);
	result_job_rate_steps(r, j, &job->rate_steps);
	j->files = (struct result_files){ 0 };
	j->lost_ios = NULL;
	j->nlost_ios = j->lost_ios_cap = 0;
	j->verify.known_by = result_copy_text(r, job->verify.known_by);
	j->verify.damages = NULL;
	j->verify.ndamages = j->verify.damages_cap = 0;
	j->notes = (struct notes){ 0 };
	notes_copy(&j->notes, &job->notes);
	return j;
}

void result_job_lost_io(struct result *r, struct result_job *job, const struct result_lost_io *io)
{
	if (job->nlost_ios == job->lost_ios_cap) {
		unsigned cap = job->lost_ios_cap ? 2 * job->lost_ios_cap : 16;
		struct result_lost_io *v = arena_alloc(&r->mem, cap * sizeof(*v));

		if (!v) {
			r->failed = true;
			return;
		}
		if (job->nlost_ios)
			memcpy(v, job->lost_ios, job->nlost_ios * sizeof(*v));
		job->lost_ios = v;
		job->lost_ios_cap = cap;
	}
	job->lost_ios[job->nlost_ios] = *io;
	job->lost_ios[job->nlost_ios].op = result_copy_text(r, io->op);
	job->lost_ios[job->nlost_ios++].file = result_copy_text(r, io->file);
}

void result_job_damage(struct result *r, struct result_job *job, const struct result_damage *damage)
{
	struct result_verify *v = &job->verify;
	struct result_damage *to;

	if (v->ndamages == v->damages_cap) {
		unsigned cap = v->damages_cap ? 2 * v->damages_cap : 16;

		to = arena_alloc(&r->mem, cap * sizeof(*to));
		if (!to) {
			r->failed = true;
			return;
		}
		if (v->ndamages)
			memcpy(to, v->damages, v->ndamages * sizeof(*to));
		v->damages = to;
		v->damages_cap = cap;
	}
	to = &v->damages[v->ndamages++];
	*to = *damage;
	to->file = result_copy_text(r, damage->file);
	to->kind = result_copy_text(r, damage->kind);
	to->expected = result_copy_text(r, damage->expected);
	to->found = result_copy_text(r, damage->found);
	to->text = result_copy_text(r, damage->text);
}

unsigned result_job_namesakes(const struct result *r, size_t job)
{
	unsigned n = 0;

	for (size_t i = 0; i < job; i++)
		n += !strcmp(r->jobs[i]->name, r->jobs[job]->name);
	return n;
}
