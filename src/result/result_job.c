#include "result_job.h"

#include <string.h>
#include "figures.h"
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
	memset(all.nprios, 0, sizeof(all.nprios));
	all.sum.dir[DIR_READ] = job->sum_both;
	all.mixed = true;
	return all;
}

static void copy_bins(struct result *r, struct result_bins *b)
{
	b->ns = result_copy_array(r, b->ns, b->n, sizeof(*b->ns));
	b->count = result_copy_array(r, b->count, b->n, sizeof(*b->count));
	if (!b->ns || !b->count)
		b->n = 0;
}

static const struct result_prio *copy_prios(struct result *r, const struct result_prio *v, unsigned *n)
{
	struct result_prio *copy = result_copy_array(r, v, *n, sizeof(*copy));

	if (!copy)
		*n = 0;
	for (unsigned i = 0; i < *n; i++)
		copy_bins(r, &copy[i].bins);
	return copy;
}

void result_job_steady(struct result *r, struct result_job *job, const struct result_steady *steady)
{
	job->steady = *steady;
	result_copy_figures(r, figures_job_steady, job);
}

void result_job_latency_target(struct result *r, struct result_job *job,
			       const struct result_latency_target *search)
{
	job->latency_target = *search;
	result_copy_figures(r, figures_job_target, job);
}

void result_job_rate_steps(struct result *r, struct result_job *job, const struct result_rate_steps *steps)
{
	struct result_rate_step *copy = result_copy_array(r, steps->steps, steps->nsteps, sizeof(*copy));

	job->rate_steps = *steps;
	job->rate_steps.steps = copy;
	job->rate_steps.nsteps = copy ? steps->nsteps : 0;
	for (size_t i = 0; i < job->rate_steps.nsteps; i++)
		for (unsigned dir = 0; dir < DIR_DATA; dir++)
			for (unsigned kind = 0; kind < STEP_LATS; kind++)
				copy_bins(r, &copy[i].dir[dir].lat[kind].bins);
}

/* What the entry points to, but for its lists of I/Os and damage. */
static void copy_job_figures(struct result *r, struct result_job *j)
{
	static const struct figure *const tables[] = {
		figures_job_apart,  figures_job_description, figures_job_steady, figures_job_fiord,
		figures_job_lost,   figures_job_verify,      figures_job_target, figures_job_split,
		figures_job_others, figures_job_placement,   figures_job_placed,
	};

	if (j->error && !j->error_text)
		j->error_text = diag_errno(j->error);
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		result_copy_figures(r, tables[i], j);
}

/* Older documents have one kind for all numbers of an entry. */
static void set_placed_kinds(struct result_placement *p)
{
	if (!p->kind)
		p->nids = 0;
	for (unsigned i = 0; i < p->nids; i++)
		if (!p->ids[i].kind)
			p->ids[i].kind = p->kind;
}

struct result_job *result_add_job(struct result *r, const struct result_job *job)
{
	struct result_job *j = arena_alloc(&r->mem, sizeof(*j));

	if (!j || !VEC_ADD(r->jobs, r->njobs, r->jobs_cap, j)) {
		r->failed = true;
		return NULL;
	}
	*j = *job;
	j->members = job->members ? job->members : 1;
	copy_job_figures(r, j);
	set_placed_kinds(&j->placement);
	j->options = result_copy_options(r, job->options, job->noptions);
	j->noptions = j->options ? job->noptions : 0;
	for (unsigned kind = 0; kind < LAT_KINDS; kind++) {
		for (unsigned dir = 0; dir < DIR_COUNT; dir++)
			copy_bins(r, &j->bins[dir][kind]);
		copy_bins(r, &j->bins_both[kind]);
	}
	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		j->prios[dir] = copy_prios(r, j->prios[dir], &j->nprios[dir]);
	result_job_rate_steps(r, j, &job->rate_steps);
	j->files = (struct result_files){ 0 };
	j->lost_ios = NULL;
	j->nlost_ios = 0;
	j->verify.damages = NULL;
	j->verify.ndamages = 0;
	j->notes = (struct notes){ 0 };
	notes_copy(&j->notes, &job->notes);
	return j;
}

void result_job_lost_io(struct result *r, struct result_job *job, const struct result_lost_io *io)
{
	result_add_entry(r, figures_job_lost_io, job, io);
}

void result_job_split(struct result *r, struct result_job *job, const struct result_split *split)
{
	result_add_entry(r, figures_job_split, job, split);
}

void result_job_shift_splits(struct result_job *job, uint64_t ms)
{
	struct result_split *rows = (struct result_split *)(uintptr_t)job->splits;

	for (size_t i = 0; i < job->nsplits; i++)
		rows[i].device_start_ms += rows[i].device_start_ms ? ms : 0;
}

void result_job_split_other(struct result *r, struct result_job *job, const struct result_split_other *other)
{
	result_add_entry(r, figures_job_others, job, other);
}

void result_job_placement_kind(struct result *r, struct result_job *job, const char *kind)
{
	const char **old = &job->placement.kind;

	if (!*old)
		*old = result_copy_text(r, kind);
	else if (kind && strcmp(*old, kind))
		*old = "mixed";
}

void result_job_placed(struct result *r, struct result_job *job, const struct result_placed *placed)
{
	struct result_placement *p = &job->placement;
	unsigned i = 0;

	while (i < p->nids && (p->ids[i].plid != placed->plid || strcmp(p->ids[i].kind, placed->kind)))
		i++;
	if (i == p->nids) {
		result_add_entry(r, figures_job_placed, job, placed);
		return;
	}
	p->ids[i].ios += placed->ios;
	p->ids[i].bytes += placed->bytes;
}

void result_job_damage(struct result *r, struct result_job *job, const struct result_damage *damage)
{
	struct result_damage copy = *damage;

	copy.text = result_copy_text(r, damage->text);
	result_add_entry(r, figures_job_damage, job, &copy);
}

unsigned result_job_namesakes(const struct result *r, size_t job)
{
	unsigned n = 0;

	for (size_t i = 0; i < job; i++)
		n += !strcmp(r->jobs[i]->name, r->jobs[job]->name);
	return n;
}
