#include "remaining_time.h"

#include <stdlib.h>
#include "run.h"

/* Returns the bytes that the whole job will move. For number_ios it assumes I/Os of the smallest size. */
static double total_bytes(const struct plan_job *j)
{
	const struct time_cfg *t = &j->job->opts.time;
	double pass = (double)j->pass_bytes, ios = (double)t->number_ios * j->bs_min;

	if (t->number_ios && ios < pass)
		pass = ios;
	return pass * (t->loops > 1 ? t->loops : 1);
}

/* Returns the seconds that this worker still needs; -1 if unknown. */
static double worker_s(const struct run *r, const struct plan_job *j, uint64_t now)
{
	const struct time_cfg *t = &j->job->opts.time;
	const struct slot *s = run_slot(r, j->index);
	enum worker_phase phase = run_phase(r, j->index);
	uint64_t start = atomic_load_explicit(&s->phase_start_ns, memory_order_relaxed);
	uint64_t issued = atomic_load_explicit(&s->issued_bytes, memory_order_relaxed);
	double total = total_bytes(j), by_bytes = -1, by_time = -1;

	if (phase >= PHASE_SYNC)
		return 0;
	if (t->runtime_ns) {
		uint64_t whole = t->runtime_ns + t->cooldown_ns + (phase < PHASE_RUN ? t->ramp_ns : 0);
		uint64_t ran = phase >= PHASE_RAMP && now > start ? now - start : 0;

		by_time = (ran < whole ? (double)(whole - ran) : 0) +
			  (phase < PHASE_RAMP ? (double)j->startdelay_ns : 0);
	}
	if (!t->time_based && !j->job->opts.files.fill && issued && now > start && phase >= PHASE_RAMP)
		by_bytes = (total > (double)issued ? total - (double)issued : 0) * (double)(now - start) /
			   (double)issued;
	if (by_time < 0)
		return by_bytes < 0 ? -1 : by_bytes / 1e9;
	return (by_bytes >= 0 && by_bytes < by_time ? by_bytes : by_time) / 1e9;
}

/* Returns when the jobs end that this one waits for (wait_for). ends_s: by plan_job.index. */
static double begins_s(const struct plan *p, const struct plan_job *j, const double *ends_s)
{
	const struct plan_stage *s = &p->stages[j->stage];
	double longest = 0;

	for (uint32_t i = s->after; i < s->after + s->count; i++)
		if (ends_s[i] > longest)
			longest = ends_s[i];
	return longest;
}

/* Adds up the times of the longest worker of each wave. */
static double sum_waves(const struct run *r, double *ends_s, uint64_t now)
{
	double sum = 0, longest = 0, begins = 0;
	uint32_t wave = r->wave;

	for (uint32_t i = 0; i < r->plan->njobs; i++) {
		const struct plan_job *j = &r->plan->jobs[i];
		double s;

		if (j->wave < r->wave)
			continue;
		if (j->wave != wave) {
			sum += longest;
			longest = 0;
			wave = j->wave;
		}
		s = worker_s(r, j, now);
		if (s < 0)
			return -1;
		if (j->clone == 0)
			begins = begins_s(r->plan, j, ends_s);
		ends_s[i] = begins + s;
		if (ends_s[i] > longest)
			longest = ends_s[i];
	}
	return sum + longest;
}

double remaining_time_s(const struct run *r, uint64_t now)
{
	double *ends_s = calloc(r->plan->njobs + 1, sizeof(*ends_s));
	double left = ends_s ? sum_waves(r, ends_s, now) : -1;

	free(ends_s);
	return left;
}
