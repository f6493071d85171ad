#include "time_limit.h"

#define NS_PER_BYTE 1000u     /* 1 MB/s */
#define NS_PER_FILE 10000000u /* 100 files in a second */
#define NS_PER_S    1000000000u
/* A gap between Poisson arrivals is longer than 30 times the mean with a probability of e^-30. */
#define POISSON_GAPS 30u

uint64_t time_limit_add(uint64_t a, uint64_t b)
{
	return a > TIME_UNLIMITED - b ? TIME_UNLIMITED : a + b;
}

static uint64_t transfer_ns(uint64_t bytes)
{
	return bytes > TIME_UNLIMITED / NS_PER_BYTE ? TIME_UNLIMITED : bytes * NS_PER_BYTE;
}

static uint64_t job_layout(const struct plan *p, const struct plan_job *j)
{
	uint64_t sum = 0;

	if (j->job->opts.group.exec_prerun)
		return TIME_UNLIMITED;
	for (uint32_t i = 0; i < j->nfiles; i++) {
		const struct plan_file *f = &j->files[i];

		if (f->owner && plan_lays_out(f))
			sum = time_limit_add(sum, NS_PER_FILE + transfer_ns(plan_layout_bytes(p, f)));
		if (j->job->opts.files.pre_read)
			sum = time_limit_add(sum, transfer_ns(f->len));
	}
	return sum;
}

/* Jobs may share storage, so their layouts may take as long as if they ran one after the other. */
uint64_t time_limit_layout(const struct plan *p, uint32_t wave)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < p->njobs; i++)
		if (p->jobs[i].wave == wave)
			sum = time_limit_add(sum, job_layout(p, &p->jobs[i]));
	return sum;
}

static uint64_t job_run(const struct plan *p, const struct plan_job *j)
{
	const struct job_opts *o = &j->job->opts;
	uint64_t sum = j->startdelay_ns;

	if (!o->time.runtime_ns || o->time.ramp_bytes || o->time.search || j->verify.reads ||
	    o->sync.end_fsync || o->sync.end_syncfs || o->group.exec_postrun)
		return TIME_UNLIMITED;
	sum = time_limit_add(sum, o->time.ramp_ns);
	sum = time_limit_add(sum, o->time.runtime_ns);
	sum = time_limit_add(sum, o->time.cooldown_ns);
	/* It lays out its files when the jobs that it waits for have ended. */
	return p->stages[j->stage].base == j->stage ? sum : time_limit_add(sum, job_layout(p, j));
}

/* Stages may wait for each other. */
uint64_t time_limit_run(const struct plan *p, uint32_t wave)
{
	uint64_t sum = 0;

	for (uint32_t s = 0; s < p->nstages; s++) {
		uint64_t longest = 0;

		if (p->stages[s].wave != wave)
			continue;
		for (uint32_t i = 0; i < p->njobs; i++) {
			uint64_t ns = p->jobs[i].stage == s ? job_run(p, &p->jobs[i]) : 0;

			longest = ns > longest ? ns : longest;
		}
		sum = time_limit_add(sum, longest);
	}
	return sum;
}

/* Returns how long one block takes at the slowest rate of the job. */
static uint64_t rate_pause(const struct plan_job *j)
{
	const struct pace_cfg *c = &j->job->opts.pace;
	uint64_t slowest = UINT64_MAX, unit = 1;

	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		if (c->rate[dir]) {
			slowest = c->rate[dir] < slowest ? c->rate[dir] : slowest;
			unit = j->bs_max;
		} else if (c->rate_iops[dir]) {
			slowest = c->rate_iops[dir] < slowest ? c->rate_iops[dir] : slowest;
		}
	}
	return slowest == UINT64_MAX ? 0 : unit * NS_PER_S / slowest;
}

/* Steps may have no I/O, but the last one does. */
static uint64_t steps_pause(const struct plan_job *j)
{
	const struct pace_steps *s = &j->job->opts.pace.steps;
	uint64_t unit = s->by_bytes ? j->bs_max : 1;

	return s->n ? s->step[s->n - 1].start_ns + unit * NS_PER_S : 0;
}

/* The pauses may follow each other. */
static uint64_t job_pause(const struct plan_job *j)
{
	const struct job_opts *o = &j->job->opts;
	uint64_t rate = rate_pause(j), sum = j->startdelay_ns;

	sum = time_limit_add(sum, o->time.cooldown_ns);
	sum = time_limit_add(sum, time_limit_add(o->think.most_ns, o->think.cycles));
	sum = time_limit_add(sum, steps_pause(j));
	return time_limit_add(sum, o->pace.process == PACE_POISSON ? POISSON_GAPS * rate : rate);
}

uint64_t time_limit_pause(const struct plan *p, uint32_t wave)
{
	uint64_t longest = 0;

	for (uint32_t i = 0; i < p->njobs; i++) {
		uint64_t ns = p->jobs[i].wave == wave ? job_pause(&p->jobs[i]) : 0;

		longest = ns > longest ? ns : longest;
	}
	return longest;
}
