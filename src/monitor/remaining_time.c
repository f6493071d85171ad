#include "progress_meter.h"

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

/* The progress of a worker. */
struct progress_of {
	const struct plan_job *j;
	enum worker_phase phase;
	bool has_backlog; /* verify_backlog: the job also verifies blocks between its writes */
	double between;   /* bytes that it has verified between its writes */
	double issue_ns;  /* since ramp or measurement began; without the verification, unless has_backlog */
	double issued;    /* bytes in that time */
	double write_share;
	double verify_ns,
		verified; /* of the verification that goes on: its time so far, and the bytes read */
};

static double load_double(const _Atomic uint64_t *v)
{
	return (double)atomic_load_explicit(v, memory_order_relaxed);
}

static double ns_since(uint64_t now, const _Atomic uint64_t *start)
{
	uint64_t ns = atomic_load_explicit(start, memory_order_relaxed);

	return now > ns ? (double)(now - ns) : 0;
}

static void get_progress(struct progress_of *p, const struct plan_job *j, const struct slot *s, uint64_t now)
{
	double read = load_double(&s->live_bytes[DIR_READ]), written = load_double(&s->live_bytes[DIR_WRITE]);

	p->j = j;
	p->issue_ns = p->phase >= PHASE_RAMP ? ns_since(now, &s->phase_start_ns) : 0;
	p->has_backlog = j->job->opts.verify.backlog;
	if (!p->has_backlog)
		p->issue_ns =
			p->issue_ns > (double)s->cnt.verify_ns ? p->issue_ns - (double)s->cnt.verify_ns : 0;
	p->issued = load_double(&s->issued_bytes);
	p->write_share = j->rw & RW_READ && written > 0 ? written / (read + written) : 1;
	if (p->has_backlog && !(j->rw & RW_READ))
		p->between = p->phase == PHASE_VERIFY ? load_double(&s->verify_from_bytes) : read;
	if (p->phase != PHASE_VERIFY)
		return;
	p->verify_ns = ns_since(now, &s->verify_start_ns);
	p->verified = read - load_double(&s->verify_from_bytes);
}

/* Returns the time in ns that issuing the rest takes; -1 if unknown. */
static double issue_left_ns(const struct progress_of *p)
{
	const struct time_cfg *t = &p->j->job->opts.time;
	double total = total_bytes(p->j), by_time = -1, by_bytes;

	if (t->runtime_ns) {
		double whole =
			(double)(t->runtime_ns + t->cooldown_ns + (p->phase < PHASE_RUN ? t->ramp_ns : 0));

		by_time = (p->issue_ns < whole ? whole - p->issue_ns : 0) +
			  (p->phase < PHASE_RAMP ? (double)p->j->startdelay_ns : 0);
	}
	if (t->time_based || p->j->job->opts.files.fill || p->issued <= 0 || p->issue_ns <= 0)
		return by_time;
	by_bytes = (total > p->issued ? total - p->issued : 0) * p->issue_ns / p->issued;
	return by_time < 0 || by_bytes < by_time ? by_bytes : by_time;
}

/* Returns the bytes that the job reads back after a loop in which it issued this many. It reads each block
   once. */
static double verify_bytes(const struct progress_of *p, double issued)
{
	double files = 0, written = issued * p->write_share;

	for (uint32_t i = 0; i < p->j->nfiles; i++)
		files += (double)p->j->files[i].len;
	return p->j->job->opts.verify.only || written > files ? files : written;
}

/* verify_backlog: returns the bytes that are still to be read back at the end; 0 if that is unknown. */
static double last_blocks(const struct progress_of *p, double issued)
{
	if (p->j->job->opts.time.loops > 1 || p->j->rw & RW_READ || p->issued <= 0)
		return 0;
	return verify_bytes(p, issued) - p->between * issued / p->issued - p->verified;
}

/* Returns the bytes that are still to be read back once the job has issued this many bytes. The job verifies
   each loop when it ends. */
static double verify_left_bytes(const struct progress_of *p, double issued)
{
	const struct time_cfg *t = &p->j->job->opts.time;
	double pass = (double)p->j->pass_bytes, loops;
	uint64_t over;

	if (p->has_backlog)
		return last_blocks(p, issued);
	if (t->time_based || t->loops <= 1 || pass <= 0)
		return verify_bytes(p, issued) - p->verified;
	loops = issued / pass;
	over = p->issued > 0 ? (uint64_t)((p->issued - 1) / pass) : 0;
	return (loops - (double)over) * verify_bytes(p, pass) - p->verified;
}

/* Returns the time in ns that reading back still takes; -1 if unknown. Before it begins, this function
   assumes the speed of the I/O so far. issue_left: the time in ns that issuing the rest takes. */
static double verify_left_ns(const struct progress_of *p, double issue_left)
{
	double issued = p->issued, left;

	if (!p->j->verify.reads)
		return 0;
	if (p->issue_ns > 0)
		issued += p->issued / p->issue_ns * issue_left;
	left = verify_left_bytes(p, issued);
	if (left <= 0)
		return 0;
	if (p->phase == PHASE_VERIFY)
		return p->verified > 0 ? left * p->verify_ns / p->verified : -1;
	return p->issued > 0 ? left * p->issue_ns / (p->issued + p->between) : 0;
}

/* Returns the seconds that this worker still needs; -1 if unknown. */
static double worker_s(const struct run *r, const struct plan_job *j, uint64_t now)
{
	struct progress_of p = { .phase = run_phase(r, j->index) };
	double issue_left = 0, verify_left;

	if (p.phase >= PHASE_SYNC)
		return 0;
	get_progress(&p, j, run_slot(r, j->index), now);
	if (p.phase < PHASE_VERIFY || j->job->opts.time.loops > 1)
		issue_left = issue_left_ns(&p);
	verify_left = verify_left_ns(&p, issue_left < 0 ? 0 : issue_left);
	return issue_left < 0 || verify_left < 0 ? -1 : (issue_left + verify_left) / 1e9;
}

/* Returns when the jobs end that this one waits for (wait_for). ends_s: by plan_job.index. */
static double begins_s(const struct plan *p, const struct plan_job *j, const double *ends_s)
{
	const struct plan_stage *s = &p->stages[j->stage];
	double longest = 0;

	for (uint32_t i = s->first_awaited; i < s->first_awaited + s->nawaited; i++)
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
