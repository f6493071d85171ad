#include "waves.h"

#include <stdlib.h>
#include "clock.h"
#include "fifo_events.h"

bool waves_init(struct run *r)
{
	const struct plan *p = r->plan;

	r->wave_first = calloc(p->nwaves + 1, sizeof(*r->wave_first));
	r->exits = calloc(p->ngroups + 1, sizeof(*r->exits));
	r->group_stopped = calloc(p->ngroups + 1, sizeof(*r->group_stopped));
	r->stage = calloc(p->nstages + 1, sizeof(*r->stage));
	if (!r->wave_first || !r->exits || !r->group_stopped || !r->stage)
		return false;
	for (uint32_t i = 0; i < p->njobs; i++) {
		const struct group_cfg *g = &p->jobs[i].job->opts.group;
		uint8_t *what = &r->exits[p->jobs[i].group];

		r->wave_first[p->jobs[i].wave + 1] = i + 1;
		if (g->exitall && *what < 1 + g->exit_what)
			*what = (uint8_t)(1 + g->exit_what);
		r->exitall |= g->exitall;
	}
	return true;
}

void waves_fini(struct run *r)
{
	free(r->wave_first);
	free(r->exits);
	free(r->group_stopped);
	free(r->stage);
}

static void stop_job(struct run *r, uint32_t i)
{
	struct slot *s = run_slot(r, i);
	_Atomic uint32_t *stop = &s->stop;

	if (!atomic_load_explicit(&s->stop_ns, memory_order_relaxed))
		atomic_store_explicit(&s->stop_ns, clock_ns(), memory_order_relaxed);
	atomic_fetch_or_explicit(stop, STOP_END, memory_order_release);
	futex_wake_all(stop);
}

/* What a worker has not laid out nobody should wait for. */
static void fail_cells(struct run *r, uint32_t i)
{
	const struct plan_job *pj = &r->plan->jobs[i];
	_Atomic uint32_t *laid = &run_slot(r, i)->laid;

	for (uint32_t k = 0; k < pj->nfiles; k++) {
		_Atomic uint32_t *state = &r->region.cells[pj->files[k].cell].state;

		if (pj->files[k].owner && atomic_load(state) == CELL_TODO)
			futex_set(state, CELL_FAILED);
	}
	if (!(pj->job->engine->caps & ENG_NOFILE) && atomic_load(laid) < LAY_ROUNDS)
		futex_set(laid, LAY_ROUNDS);
}

void run_stop(struct run *r)
{
	r->over = true;
	waves_stop(r);
}

void waves_stop(struct run *r)
{
	for (uint32_t i = 0; i < r->plan->njobs; i++) {
		stop_job(r, i);
		fail_cells(r, i);
	}
	for (uint32_t s = 0; s < r->plan->nstages; s++) {
		futex_set(&r->region.stages[s].setup, 1);
		futex_set(&r->region.stages[s].gate, 1);
	}
}

/* A worker that was killed uses its files no longer. */
static void leave_files(struct run *r, uint32_t i)
{
	const struct plan_job *pj = &r->plan->jobs[i];

	for (uint32_t k = 0; k < pj->nfiles; k++)
		if (pj->files[k].unlink)
			atomic_fetch_sub(&r->region.cells[pj->files[k].cell].users, 1);
}

/* What ends because this job has: 0, or 1 + enum exit_what. As in fio, exitall said by one job of a group
   means that the first one to end ends them all. */
static unsigned ends_others(const struct run *r, uint32_t i)
{
	const struct plan_job *pj = &r->plan->jobs[i];
	const struct group_cfg *g = &pj->job->opts.group;
	unsigned what = r->exits[pj->group];

	if (g->exitall_on_error && run_slot(r, i)->error && what < 1u + g->exit_what)
		what = 1u + g->exit_what;
	return what;
}

/* Ends the jobs of this one's group, which are neighbours, or all of its wave: once, whoever else ends then.
 */
static void stop_others(struct run *r, const struct plan_job *pj, bool wave)
{
	bool *group = &r->group_stopped[pj->group];
	uint32_t first = pj->index, end = r->wave_first[pj->wave + 1];

	if (r->wave_stopped == pj->wave + 1 || (*group && !wave))
		return;
	*group = true;
	if (wave)
		r->wave_stopped = pj->wave + 1;
	while (first > r->wave_first[pj->wave] && (wave || r->plan->jobs[first - 1].group == pj->group))
		first--;
	for (uint32_t k = first; k < end && (wave || r->plan->jobs[k].group == pj->group); k++)
		stop_job(r, k);
}

static void job_ended(struct run *r, uint32_t i)
{
	const struct plan_job *pj = &r->plan->jobs[i];
	unsigned what = ends_others(r, i);

	r->job[i].counted = true;
	fail_cells(r, i);
	if (run_slot(r, i)->lost[0])
		leave_files(r, i);
	if (what == 1 + EXIT_WHAT_ALL && !r->over) {
		r->over = true;
		waves_stop(r);
	}
	if (what)
		stop_others(r, pj, what > 1 + EXIT_WHAT_GROUP);
}

/* Handles the ends of workers; how many are still at work. */
static uint32_t count_undone(struct run *r, uint32_t wave)
{
	uint32_t undone = 0;

	for (uint32_t i = r->wave_first[wave]; i < r->wave_first[wave + 1]; i++) {
		bool done = run_phase(r, i) == PHASE_DONE;

		if (done && !r->job[i].counted)
			job_ended(r, i);
		undone += !done;
	}
	return undone;
}

bool waves_ended(struct run *r, uint32_t wave)
{
	uint32_t undone;
	uint64_t told;

	do {
		told = region_news_seen(&r->region);
		undone = count_undone(r, wave);
	} while (undone && region_news_wake_at(&r->region, told, undone));
	return !undone;
}

/* How far the jobs of each stage of the wave are. */
static void look(struct run *r)
{
	for (uint32_t i = r->wave_first[r->wave]; i < r->wave_first[r->wave + 1]; i++) {
		struct run_stage *s = &r->stage[r->plan->jobs[i].stage];

		s->laying = s->unready = s->undone = 0;
	}
	for (uint32_t i = r->wave_first[r->wave]; i < r->wave_first[r->wave + 1]; i++) {
		struct run_stage *s = &r->stage[r->plan->jobs[i].stage];
		enum worker_phase at = run_phase(r, i);

		if (at == PHASE_DONE && !r->job[i].counted)
			job_ended(r, i);
		s->laying += at < PHASE_WAIT;
		s->unready += at < PHASE_READY;
		s->undone += at < PHASE_DONE;
	}
}

/* Of those that the stage waits for, how many have not ended. */
static uint32_t left_before(const struct run *r, const struct plan_stage *ps)
{
	uint32_t left = 0;

	for (uint32_t i = ps->after; i < ps->after + ps->count; i++)
		left += run_phase(r, i) != PHASE_DONE;
	return left;
}

/* Whether all of it is at the gate. The first stage also waits until nobody else lays out files. */
static bool may_open(const struct run *r, uint32_t stage)
{
	if (r->stage[stage].unready)
		return false;
	if (r->region.events && !fifo_events_may_open(r->region.events, r->plan, stage))
		return false;
	if (stage != r->plan->stages[stage].base)
		return true;
	for (uint32_t s = stage + 1; s < r->plan->nstages && r->plan->stages[s].base == stage; s++)
		if (r->stage[s].laying)
			return false;
	return true;
}

static void open_gate(struct run *r, uint32_t stage)
{
	struct region_stage *rs = &r->region.stages[stage];

	if (stage == r->plan->stages[stage].base && r->hooks->wave_open)
		r->hooks->wave_open(r->hooks->ctx, r, r->wave);
	atomic_store_explicit(&rs->start_ns, clock_ns(), memory_order_relaxed);
	futex_set(&rs->gate, 1);
	r->stage[stage].state = STAGE_OPEN;
}

/* One step of the wave; whether it is over. */
static bool step(struct run *r, uint32_t base)
{
	bool all = true;

	look(r);
	for (uint32_t s = base; s < r->plan->nstages && r->plan->stages[s].base == base; s++) {
		struct run_stage *st = &r->stage[s];

		if (st->state == STAGE_CLOSED && r->stage[base].state == STAGE_OPEN &&
		    !left_before(r, &r->plan->stages[s])) {
			futex_set(&r->region.stages[s].setup, 1);
			st->state = STAGE_SETUP;
		}
		if (st->state == STAGE_SETUP && !r->signals && !r->over && may_open(r, s))
			open_gate(r, s);
		all = all && !st->undone;
	}
	return all;
}

static void fewer(uint32_t *n, uint32_t of)
{
	if (of && of < *n)
		*n = of;
}

/* How many workers have to say something before there can be anything to do. */
static uint32_t awaited(const struct run *r, uint32_t base)
{
	uint32_t n = UINT32_MAX, laying = 0, undone = 0;

	for (uint32_t s = base; s < r->plan->nstages && r->plan->stages[s].base == base; s++) {
		const struct run_stage *st = &r->stage[s];

		if (st->state == STAGE_CLOSED)
			fewer(&n, left_before(r, &r->plan->stages[s]));
		if (st->state == STAGE_SETUP)
			fewer(&n, st->unready);
		laying += s > base ? st->laying : 0;
		undone += st->undone;
	}
	if (r->stage[base].state == STAGE_SETUP)
		fewer(&n, laying);
	fewer(&n, undone);
	return r->exitall ? 1 : n;
}

void waves_begin(struct run *r)
{
	uint32_t base = r->plan->jobs[r->wave_first[r->wave]].stage;
	uint64_t told = region_news_seen(&r->region);

	if (r->hooks->wave_setup)
		r->hooks->wave_setup(r->hooks->ctx, r, r->wave);
	r->stage[base].state = STAGE_SETUP;
	look(r);
	/* Before later waves workers may have died already, and nobody may be left to say anything. */
	region_news_wake_at(&r->region, told, r->wave ? 0 : awaited(r, base));
	futex_set(&r->region.stages[base].setup, 1);
}

bool waves_step(struct run *r)
{
	uint32_t base = r->plan->jobs[r->wave_first[r->wave]].stage;
	uint64_t told;

	if (!region_news_due(&r->region) && !r->region.events)
		return false;
	do {
		told = region_news_seen(&r->region);
		if (step(r, base))
			return true;
	} while (region_news_wake_at(&r->region, told, awaited(r, base)));
	return false;
}
