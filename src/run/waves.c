#include "waves.h"

#include <stdlib.h>
#include "clock.h"
#include "fifo_events.h"
#include "region.h"
#include "region_flow.h"
#include "run.h"

bool waves_init(struct waves *w, const struct plan *p)
{
	w->first_job = calloc(p->nwaves + 1, sizeof(*w->first_job));
	w->exit_what = calloc(p->ngroups + 1, sizeof(*w->exit_what));
	w->group_stopped = calloc(p->ngroups + 1, sizeof(*w->group_stopped));
	w->stage = calloc(p->nstages + 1, sizeof(*w->stage));
	w->permitted = calloc(p->ntargets + 1, sizeof(*w->permitted));
	if (!w->first_job || !w->exit_what || !w->group_stopped || !w->stage || !w->permitted)
		return false;
	for (uint32_t i = 0; i < p->njobs; i++) {
		const struct group_cfg *g = &p->jobs[i].job->opts.group;
		uint8_t *scope = &w->exit_what[p->jobs[i].group];

		w->first_job[p->jobs[i].wave + 1] = i + 1;
		if (g->exitall && *scope < 1 + g->exit_what)
			*scope = (uint8_t)(1 + g->exit_what);
		w->any_exitall |= g->exitall;
	}
	return true;
}

void waves_fini(struct waves *w)
{
	free(w->first_job);
	free(w->exit_what);
	free(w->group_stopped);
	free(w->stage);
	free(w->permitted);
}

void waves_stop_job(struct run *r, uint32_t i)
{
	struct slot *s = run_slot(r, i);

	if (!atomic_load_explicit(&s->stop_ns, memory_order_relaxed))
		atomic_store_explicit(&s->stop_ns, clock_ns(), memory_order_relaxed);
	atomic_fetch_or_explicit(&s->stop, STOP_END, memory_order_release);
	futex_wake_all(&s->stop);
}

void waves_end_runtime(struct run *r, uint32_t job)
{
	struct slot *s = run_slot(r, job);

	atomic_fetch_or_explicit(&s->stop, STOP_RUNTIME, memory_order_release);
	futex_wake_all(&s->stop);
}

/* Releases the workers that wait for files which this worker will not lay out any more. */
static void fail_layouts(struct run *r, uint32_t i)
{
	const struct plan_job *pj = &r->plan->jobs[i];
	_Atomic uint32_t *laid = &run_slot(r, i)->layout_rounds;

	for (uint32_t k = 0; k < pj->nfiles; k++) {
		_Atomic uint32_t *state = &r->region.layouts[pj->files[k].layout_index].state;

		/* No worker waits for other files, and there may be a million. */
		if (pj->files[k].owner && plan_lays_out(&pj->files[k]) &&
		    atomic_load(state) == LAYOUT_STATE_TODO)
			futex_set(state, LAYOUT_STATE_FAILED);
	}
	if (!(pj->job->engine->caps & ENG_NOFILE) && atomic_load(laid) < LAYOUT_ROUNDS)
		futex_set(laid, LAYOUT_ROUNDS);
}

void waves_end_run(struct run *r)
{
	r->ended_early = true;
	waves_stop_workers(r);
}

void waves_stop_workers(struct run *r)
{
	for (uint32_t i = 0; i < r->plan->njobs; i++) {
		waves_stop_job(r, i);
		fail_layouts(r, i);
	}
	for (uint32_t s = 0; s < r->plan->nstages; s++) {
		futex_set(&r->region.stages[s].setup, 1);
		futex_set(&r->region.stages[s].gate, 1);
	}
}

/* A worker that was killed no longer uses its files. */
static void leave_files(struct run *r, uint32_t i)
{
	const struct plan_job *pj = &r->plan->jobs[i];

	for (uint32_t k = 0; k < pj->nfiles; k++)
		if (pj->files[k].unlink)
			atomic_fetch_sub(&r->region.layouts[pj->files[k].layout_index].users, 1);
}

/* Returns which other jobs end because this job has ended: 0, or 1 + enum exit_what. As in fio, if one job of
   a group has exitall, the first job of the group to end ends the others. */
static unsigned exit_scope(const struct run *r, uint32_t i)
{
	const struct plan_job *pj = &r->plan->jobs[i];
	const struct group_cfg *g = &pj->job->opts.group;
	unsigned scope = r->waves.exit_what[pj->group];

	if (g->exitall_on_error && run_slot(r, i)->error && scope < 1u + g->exit_what)
		scope = 1u + g->exit_what;
	return scope;
}

/* Stops the jobs of this job's group, which are neighbours in the plan, or all jobs of its wave. It does so
   only once for each group and wave. */
static void stop_others(struct run *r, const struct plan_job *pj, bool wave)
{
	bool *group = &r->waves.group_stopped[pj->group];
	uint32_t first = pj->index, end = r->waves.first_job[pj->wave + 1];

	if (r->waves.wave_stopped == pj->wave + 1 || (*group && !wave))
		return;
	*group = true;
	if (wave)
		r->waves.wave_stopped = pj->wave + 1;
	while (first > r->waves.first_job[pj->wave] && (wave || r->plan->jobs[first - 1].group == pj->group))
		first--;
	for (uint32_t k = first; k < end && (wave || r->plan->jobs[k].group == pj->group); k++)
		waves_stop_job(r, k);
}

static void job_ended(struct run *r, uint32_t i)
{
	const struct plan_job *pj = &r->plan->jobs[i];
	unsigned scope = exit_scope(r, i);

	r->job[i].end_handled = true;
	fail_layouts(r, i);
	if (run_slot(r, i)->lost_reason[0]) {
		leave_files(r, i);
		region_files_mark_complete(&r->region, r->plan, pj);
	}
	if (pj->flow)
		region_flow_leave(&r->region, r->plan, pj->flow - 1, FLOW_LEFT, 0);
	if (scope == 1 + EXIT_WHAT_ALL && !r->ended_early)
		waves_end_run(r);
	if (scope)
		stop_others(r, pj, scope > 1 + EXIT_WHAT_GROUP);
}

/* Handles the jobs that have ended since the last call. Returns how many have not. */
static uint32_t handle_ends(struct run *r, uint32_t wave)
{
	uint32_t not_done = 0;

	for (uint32_t i = r->waves.first_job[wave]; i < r->waves.first_job[wave + 1]; i++) {
		bool done = run_phase(r, i) == PHASE_DONE;

		if (done && !r->job[i].end_handled)
			job_ended(r, i);
		not_done += !done;
	}
	return not_done;
}

bool waves_ended(struct run *r, uint32_t wave)
{
	uint32_t not_done;
	uint64_t seen;

	do {
		seen = region_wakeup_cancel(&r->region);
		not_done = handle_ends(r, wave);
	} while (not_done && region_wakeup_after(&r->region, seen, not_done));
	return !not_done;
}

/* Counts how far the jobs of each stage of the wave are, and handles those that have ended. */
static void count_phases(struct run *r)
{
	for (uint32_t i = r->waves.first_job[r->wave]; i < r->waves.first_job[r->wave + 1]; i++) {
		struct wave_stage *s = &r->waves.stage[r->plan->jobs[i].stage];

		s->in_layout = s->not_ready = s->not_done = 0;
	}
	for (uint32_t i = r->waves.first_job[r->wave]; i < r->waves.first_job[r->wave + 1]; i++) {
		struct wave_stage *s = &r->waves.stage[r->plan->jobs[i].stage];
		enum worker_phase phase = run_phase(r, i);

		if (phase == PHASE_DONE && !r->job[i].end_handled)
			job_ended(r, i);
		s->in_layout += phase < PHASE_WAIT;
		s->not_ready += phase < PHASE_READY;
		s->not_done += phase < PHASE_DONE;
	}
}

/* Returns how many of the jobs that this stage waits for have not ended. */
static uint32_t jobs_awaited(const struct run *r, const struct plan_stage *ps)
{
	uint32_t left = 0;

	for (uint32_t i = ps->first_awaited; i < ps->first_awaited + ps->nawaited; i++)
		left += run_phase(r, i) != PHASE_DONE;
	return left;
}

/* A stage may start when all of its jobs are at the gate. The first stage also waits until no job of the wave
   lays out files. */
static bool may_open(const struct run *r, uint32_t stage)
{
	if (r->waves.stage[stage].not_ready)
		return false;
	if (r->region.events && !fifo_events_stage_ready(r->region.events, r->plan, stage))
		return false;
	if (stage != r->plan->stages[stage].base)
		return true;
	for (uint32_t s = stage + 1; s < r->plan->nstages && r->plan->stages[s].base == stage; s++)
		if (r->waves.stage[s].in_layout)
			return false;
	return true;
}

static void open_gate(struct run *r, uint32_t stage, uint64_t start_ns)
{
	struct region_stage *rs = &r->region.stages[stage];

	if (stage == r->plan->stages[stage].base && r->hooks->wave_open)
		r->hooks->wave_open(r->hooks->ctx, r, r->wave);
	rs->starts_later = start_ns != 0;
	if (!start_ns)
		start_ns = clock_ns();
	atomic_store_explicit(&rs->start_ns, start_ns, memory_order_relaxed);
	if (!atomic_load_explicit(r->region.grid_ns, memory_order_relaxed))
		atomic_store_explicit(r->region.grid_ns, start_ns, memory_order_relaxed);
	futex_set(&rs->gate, 1);
	r->waves.stage[stage].state = STAGE_OPEN;
}

/* Opens the gate of a stage unless the hook wave_gate says that it is too early. */
static void try_gate(struct run *r, uint32_t stage)
{
	uint64_t start_ns = 0;

	if (r->hooks->wave_gate && stage == r->plan->stages[stage].base) {
		start_ns = r->hooks->wave_gate(r->hooks->ctx, r, r->wave);
		r->waves.at_gate = !start_ns && !r->ended_early;
		if (!start_ns)
			return;
	}
	open_gate(r, stage, start_ns);
}

/* Starts the stages that may start. Returns whether all jobs of the wave have ended. */
static bool step(struct run *r, uint32_t base)
{
	bool all_done = true;

	count_phases(r);
	for (uint32_t s = base; s < r->plan->nstages && r->plan->stages[s].base == base; s++) {
		struct wave_stage *st = &r->waves.stage[s];

		if (st->state == STAGE_CLOSED && r->waves.stage[base].state == STAGE_OPEN &&
		    !jobs_awaited(r, &r->plan->stages[s])) {
			futex_set(&r->region.stages[s].setup, 1);
			st->state = STAGE_SETUP;
		}
		if (st->state == STAGE_SETUP && !r->signals.count && !r->ended_early && may_open(r, s))
			try_gate(r, s);
		all_done = all_done && !st->not_done;
	}
	return all_done;
}

static void lower(uint32_t *n, uint32_t count)
{
	if (count && count < *n)
		*n = count;
}

/* Returns after how many notifications waves_step() can have something to do. */
static uint32_t notifications_needed(const struct run *r, uint32_t base)
{
	uint32_t n = UINT32_MAX, in_layout = 0, not_done = 0;

	for (uint32_t s = base; s < r->plan->nstages && r->plan->stages[s].base == base; s++) {
		const struct wave_stage *st = &r->waves.stage[s];

		if (st->state == STAGE_CLOSED)
			lower(&n, jobs_awaited(r, &r->plan->stages[s]));
		if (st->state == STAGE_SETUP)
			lower(&n, st->not_ready);
		in_layout += s > base ? st->in_layout : 0;
		not_done += st->not_done;
	}
	if (r->waves.stage[base].state == STAGE_SETUP)
		lower(&n, in_layout);
	lower(&n, not_done);
	return r->waves.any_exitall ? 1 : n;
}

void waves_begin(struct run *r)
{
	uint32_t base = r->plan->jobs[r->waves.first_job[r->wave]].stage;
	uint64_t seen = region_wakeup_cancel(&r->region);

	if (r->hooks->wave_setup)
		r->hooks->wave_setup(r->hooks->ctx, r, r->wave);
	r->waves.at_gate = false;
	if (r->wave)
		wave_targets_check(r);
	r->waves.stage[base].state = STAGE_SETUP;
	count_phases(r);
	/* Workers of a later wave may have died already, so that no notification would come. */
	region_wakeup_after(&r->region, seen, r->wave ? 0 : notifications_needed(r, base));
	futex_set(&r->region.stages[base].setup, 1);
}

bool waves_step(struct run *r)
{
	uint32_t base = r->plan->jobs[r->waves.first_job[r->wave]].stage;
	uint64_t seen;

	if (!region_wakeup_due(&r->region) && !r->region.events && !r->waves.at_gate)
		return false;
	do {
		seen = region_wakeup_cancel(&r->region);
		if (step(r, base))
			return true;
	} while (region_wakeup_after(&r->region, seen, notifications_needed(r, base)));
	return false;
}
