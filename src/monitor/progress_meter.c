#include "progress_meter.h"

#include <stdlib.h>
#include "clock.h"
#include "collect.h"

bool progress_meter_init(struct progress_meter *m, const struct plan *p)
{
	*m = (struct progress_meter){ .plan = p };
	m->states = calloc(p->njobs + 1, 1);
	return m->states;
}

void progress_meter_fini(struct progress_meter *m)
{
	free(m->states);
	m->states = NULL;
}

static char run_letter(const struct plan_job *j)
{
	static const char seq[] = "RRWM", rnd[] = "rrwm";
	unsigned dirs = j->rw & (RW_READ | RW_WRITE);

	if (j->rw & RW_TRIM)
		return j->rw & RW_RANDOM ? 'd' : 'D';
	return j->rw & RW_RANDOM ? rnd[dirs] : seq[dirs];
}

/* Returns the letter of a worker that has ended. */
static char end_letter(const struct run *r, const struct plan_job *j)
{
	const struct slot *s = run_slot(r, j->index);

	if (s->lost_reason[0])
		return 'K';
	return s->error ? 'X' : r->job[j->index].reaped ? '_' : 'E';
}

static bool has_layout(const struct plan_job *j)
{
	for (uint32_t i = 0; i < j->nfiles; i++)
		if (j->files[i].owner &&
		    (j->files[i].layout == LAYOUT_FILL || j->files[i].layout == LAYOUT_CREATE))
			return true;
	return false;
}

static bool syncs_at_end(const struct plan_job *j)
{
	return j->job->opts.sync.end_fsync || j->job->opts.sync.end_syncfs ||
	       j->job->opts.file.fsync_on_close;
}

/* The letters are those of fio, except L for layout, which fiord does not show under fio's name. */
static char letter(const struct progress_meter *m, const struct run *r, const struct plan_job *j)
{
	switch (run_phase(r, j->index)) {
	case PHASE_CREATED:
		return j->wave == r->wave ? 'C' : 'P';
	case PHASE_WAIT:
		return 'P';
	case PHASE_SETUP:
		return !has_layout(j) ? 'C' : m->plan->set->run.as_fio ? 'I' : 'L';
	case PHASE_PRE_READ:
		return 'p';
	case PHASE_READY:
	case PHASE_DELAY:
		return 'I';
	case PHASE_RAMP:
		return '/';
	case PHASE_RUN:
	case PHASE_COOL:
		return run_letter(j);
	case PHASE_VERIFY:
		return 'V';
	case PHASE_SYNC:
		return syncs_at_end(j) ? 'F' : 'f';
	case PHASE_DONE:
		break;
	}
	return end_letter(r, j);
}

static bool has_every_rate(const struct plan_job *j)
{
	const struct pace_cfg *c = &j->job->opts.pace;

	for (int d = 0; d < DIR_DATA; d++)
		if (j->rw & 1u << d && !c->rate[d] && !c->rate_iops[d])
			return false;
	return true;
}

static void add_rates(struct progress *p, const struct plan_job *j);

/* Adds the rates of a thread group, if all of its members have one. */
static void add_members(struct progress *p, const struct plan_job *j)
{
	bool all = true;

	for (uint32_t i = 0; i < j->nmembers; i++)
		all = all && has_every_rate(&j->members[i]);
	for (uint32_t i = 0; i < j->nmembers && all; i++)
		for (uint32_t k = 0; k < j->members[i].nfiles; k++)
			add_rates(p, &j->members[i]);
}

static void add_rates(struct progress *p, const struct plan_job *j)
{
	const struct pace_cfg *c = &j->job->opts.pace;
	const struct rate_min_cfg *rate_min = &j->job->opts.rate_min;

	if (j->nmembers) {
		add_members(p, j);
		return;
	}
	for (int d = 0; d < DIR_DATA; d++) {
		if (!(j->rw & 1u << d) || (c->total && j->rw & ((1u << d) - 1)))
			continue;
		p->rate_hi += c->rate[d];
		p->rate_iops_hi += c->rate_iops[d];
		p->rate_lo += rate_min->rate[d];
		p->rate_iops_lo += rate_min->iops[d];
	}
}

static void measure_rates(struct progress_meter *m, const struct run *r, struct progress *p, uint64_t now)
{
	uint64_t ios[DIR_DATA] = { 0 }, bytes[DIR_DATA] = { 0 }, ns = now - m->last_ns;

	for (uint32_t i = 0; i < m->plan->njobs; i++) {
		const struct plan_job *j = &m->plan->jobs[i];
		const struct slot *s = run_slot(r, i);
		enum worker_phase phase = run_phase(r, i);

		m->states[i] = letter(m, r, j);
		if (phase > PHASE_CREATED && phase < PHASE_DONE && phase != PHASE_WAIT) {
			p->running++;
			p->files += atomic_load_explicit(&s->open_files, memory_order_relaxed);
			add_rates(p, j);
		}
		if (phase == PHASE_SETUP)
			p->layout_done += atomic_load_explicit(&s->layout_bytes, memory_order_relaxed);
		if (phase == PHASE_SETUP && j->wave == r->wave && !m->plan->set->run.as_fio)
			p->layout_total = m->plan->layout_bytes;
		for (int d = 0; d < DIR_DATA; d++) {
			ios[d] += atomic_load_explicit(&s->live_ios[d], memory_order_relaxed);
			bytes[d] += atomic_load_explicit(&s->live_bytes[d], memory_order_relaxed);
		}
	}
	for (int d = 0; d < DIR_DATA; d++) {
		/* The workers reset their counts when a ramp ends. */
		uint64_t dios = ios[d] >= m->last_ios[d] ? ios[d] - m->last_ios[d] : ios[d];
		uint64_t dbytes = bytes[d] >= m->last_bytes[d] ? bytes[d] - m->last_bytes[d] : bytes[d];

		if (m->last_ns && ns) {
			p->iops[d] = (uint64_t)((double)dios * 1e9 / (double)ns);
			p->bw[d] = (uint64_t)((double)dbytes * 1e9 / (double)ns);
		}
		m->last_ios[d] = ios[d];
		m->last_bytes[d] = bytes[d];
	}
	m->last_ns = now;
}

void progress_meter_read(struct progress_meter *m, const struct run *r, struct progress *p)
{
	uint64_t now = clock_ns();
	double left, ran = (double)(now - r->start_ns) / 1e9;

	*p = (struct progress){ .states = m->states };
	p->units = collect_units(&m->plan->jobs[0].job->opts.report);
	measure_rates(m, r, p, now);
	left = remaining_time_s(r, now);
	p->eta_known = p->percent_known = left >= 0;
	p->eta_s = left > 0 ? (uint64_t)(left + 0.5) : 0;
	p->percent = left >= 0 && ran + left > 0 ? 100.0 * ran / (ran + left) : 0;
}
