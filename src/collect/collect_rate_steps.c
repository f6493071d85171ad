#include "collect_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include "rate_steps.h"
#include "run.h"

/* A step gets a note if more than 1 / LATE_PART of its I/Os are late. */
#define LATE_PART 10

/* The members of an entry. */
struct members {
	const struct run *run;
	const uint32_t *index;
	uint32_t n;
};

/* Returns the measured time of a worker, without the time in which it read back its writes. */
static uint64_t measured_ns(const struct slot *s)
{
	uint64_t end = s->run_end_ns,
		 verify = atomic_load_explicit(&s->verify_start_ns, memory_order_relaxed);

	if (verify && verify < end)
		end = verify;
	return s->run_start_ns && end > s->run_start_ns ? end - s->run_start_ns : 0;
}

static uint64_t longest_ns(const struct members *m)
{
	uint64_t longest = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		uint64_t ns = measured_ns(run_slot(m->run, m->index[i]));

		if (m->run->plan->jobs[m->index[i]].step_counts.steps)
			longest = ns > longest ? ns : longest;
	}
	return longest;
}

/* Returns how long the step lasted in a run of ran_ns. */
static uint64_t length_of(const struct pace_steps *s, uint32_t step, uint64_t ran_ns)
{
	uint64_t start = s->step[step].start_ns, end = pace_step_end(s, step);

	end = end < ran_ns ? end : ran_ns;
	return end > start ? end - start : 0;
}

/* Adds up a direction of a step over the members, and returns their rate. counts is zeroed. */
static uint64_t add_step_members(const struct members *m, struct step_counts *counts, uint32_t step,
				 unsigned dir)
{
	struct step_rate rate = { 0 };

	for (uint32_t i = 0; i < m->n; i++) {
		const struct plan_job *pj = &m->run->plan->jobs[m->index[i]];
		struct slot *slot = run_slot(m->run, m->index[i]);
		const struct pace_steps *s = &pj->job->opts.pace.steps;

		if (!pj->step_counts.steps)
			continue;
		step_rate_add(&rate, pj->step_counts.dirs & 1u << dir ? s->step[step].rate[dir] : 0,
			      length_of(s, step, measured_ns(slot)));
		if (pj->step_counts.dirs & 1u << dir)
			step_counts_merge(counts, step_counts_of(slot_part(slot, pj, SLOT_STEPS),
								 &pj->step_counts, step, dir));
	}
	return step_rate_mean(&rate);
}

static bool set_step(struct result *r, struct result_rate_step *to, const struct members *m, uint32_t step,
		     bool bins)
{
	struct step_counts *counts = NULL;

	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		free(counts);
		counts = calloc(1, sizeof(*counts));
		if (!counts)
			return false;
		to->dir[dir].rate = add_step_members(m, counts, step, dir);
		result_step_set(r, &to->dir[dir], counts, to->length_ns, bins);
	}
	free(counts);
	return true;
}

/* Notes the first step of which many I/Os are late: these I/Os took the time of later steps. */
static void note_late(struct result_job *job)
{
	static const char *const name[DIR_DATA] = { "reads", "writes", "trims" };
	const struct result_rate_steps *s = &job->rate_steps;

	for (size_t i = 0; i < s->nsteps; i++) {
		for (unsigned dir = 0; dir < DIR_DATA; dir++) {
			const struct result_step_dir *d = &s->steps[i].dir[dir];

			if (d->late_ios <= d->ios / LATE_PART)
				continue;
			result_job_note(job,
					"{rate_steps}: of %" PRIu64 " %s that were due in step %zu, %" PRIu64
					" completed after its end and took the time of later steps",
					d->ios, name[dir], i + 1, d->late_ios);
			return;
		}
	}
}

/* Returns the steps of the first member that counts any: one that only verifies has none of its own. NULL if
   there are no steps. */
static const struct pace_steps *steps_of(const struct members *m)
{
	for (uint32_t i = 0; i < m->n; i++) {
		const struct plan_job *pj = &m->run->plan->jobs[m->index[i]];

		if (pj->step_counts.steps)
			return &pj->job->opts.pace.steps;
	}
	return NULL;
}

void collect_rate_steps(struct result *r, struct result_job *job, const struct run *run, uint32_t report,
			bool bins)
{
	struct members m = { .run = run };
	struct result_rate_step step[PACE_STEPS_MAX] = { 0 };
	struct result_rate_steps all = { .steps = step };
	const struct pace_steps *s;
	uint64_t ran_ns;

	m.n = plan_members(run->plan, report, &m.index);
	s = steps_of(&m);
	if (!s || !run->end_ns)
		return;
	ran_ns = longest_ns(&m);
	all.by_bytes = s->by_bytes;
	all.nsteps = s->n;
	for (uint32_t i = 0; i < m.n; i++)
		all.dirs |= run->plan->jobs[m.index[i]].step_counts.dirs;
	for (uint32_t i = 0; i < s->n; i++) {
		step[i].start_ns = s->step[i].start_ns;
		step[i].length_ns = length_of(s, i, ran_ns);
		if (!set_step(r, &step[i], &m, i, bins)) {
			r->failed = true;
			return;
		}
	}
	result_job_rate_steps(r, job, &all);
	note_late(job);
}
