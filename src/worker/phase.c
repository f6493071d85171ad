/* phase.c: the ramp, the measurement and the cooldown begin and end by the worker's clock. */
#include <string.h>
#include "account.h"
#include "clock.h"
#include "clone.h"
#include "fifo_events.h"
#include "phase.h"
#include "quota.h"
#include "schedule.h"
#include "window.h"
#include "worker.h"

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Sets the time of the next event: an interval or the ramp ends, or the minimum rate is checked. In the
   slot's sequence. */
static void set_event(struct worker *w)
{
	struct phase_clock *k = &w->clock;
	uint64_t event = w->stats.tracks->start_ns ? w->stats.tracks->end_ns : UINT64_MAX;

	if (k->in_ramp && w->clone.opts->time.ramp_bytes)
		event = 0; /* every batch checks */
	else if (k->in_ramp)
		event = earlier(event, k->ramp_end_ns);
	else
		event = earlier(event, k->measure_end_ns);
	k->event_ns = earlier(event, w->sched.current->rate_min_check_ns);
}

void phase_begin(struct worker *w, uint64_t start, enum worker_phase phase)
{
	struct slot *s = w->clone.slot;

	wstat_init(w->stats.st, &w->clone.job->layout);
	memset(w->stats.cnt, 0, sizeof(*w->stats.cnt));
	account_publish(w);
	if (phase == PHASE_RUN) {
		w->stats.tracks->grid_ns =
			atomic_load_explicit(w->clone.region->grid_ns, memory_order_relaxed);
		tracks_start(w->stats.tracks, &w->clone.job->tracks, &w->clone.job->layout, start);
	}
	schedule_begin(&w->sched, &w->clone, w->q.ios, start, phase == PHASE_RAMP);
	w->clock.start_ns = start;
	if (phase == PHASE_RUN) {
		worker_usage_start(w, start);
		file_stats_account_begin(&w->stats, &w->observers);
		fifo_events_measure_begin(w->clone.region->events, w->clone.job->index);
	}
	atomic_store_explicit(&s->phase_start_ns, start, memory_order_relaxed);
	clone_set_phase(&w->clone, phase);
	set_event(w);
}

/* Lets the loop run again. */
static void run_again(struct worker *w)
{
	w->sched.due_ns = 0;
	w->source.fast_left = 0;
	w->quota.exhausted = false;
}

/* Begins reads that no rate and no runtime limits. */
static void begin_verify(struct worker *w)
{
	struct slot *s = w->clone.slot;

	w->sched.current->rate_min_check_ns = UINT64_MAX;
	w->clock.deadline_ns = w->clock.measure_end_ns = UINT64_MAX;
	account_publish(w);
	atomic_store_explicit(&s->verify_start_ns, w->clock.now_ns, memory_order_relaxed);
	atomic_store_explicit(&s->verify_from_bytes, s->live_bytes[DIR_READ], memory_order_relaxed);
	clone_set_phase(&w->clone, PHASE_VERIFY);
}

void phase_begin_verify(struct worker *w)
{
	struct phase_clock *k = &w->clock;

	k->now_ns = clock_ns();
	schedule_check_rate_min(w, k->now_ns);
	schedule_end(w, earlier(k->now_ns, k->deadline_ns), false);
	run_again(w);
	begin_verify(w);
}

void phase_pause(struct worker *w, struct phase_pause *p)
{
	struct phase_clock *k = &w->clock;

	k->now_ns = clock_ns();
	p->since_ns = k->now_ns;
	p->deadline_ns = k->deadline_ns;
	p->measure_end_ns = k->measure_end_ns;
	run_again(w);
	if (p->runtime)
		k->deadline_ns = UINT64_MAX; /* the end of these reads comes first */
	else
		begin_verify(w);
}

static uint64_t later_by(uint64_t t, uint64_t ns)
{
	return t == UINT64_MAX ? t : t + ns;
}

/* Resumes after a pause of `length` ns that does not count as runtime. */
static void resume_run(struct worker *w, const struct phase_pause *p, uint64_t length)
{
	struct phase_clock *k = &w->clock;

	schedule_restart_rate_min(w, k->now_ns);
	k->deadline_ns = later_by(p->deadline_ns, k->in_ramp ? 0 : length);
	k->measure_end_ns = later_by(p->measure_end_ns, k->in_ramp ? 0 : length);
	clone_set_phase(&w->clone, k->in_cooldown ? PHASE_COOL : k->in_ramp ? PHASE_RAMP : PHASE_RUN);
	set_event(w);
}

/* Ends the runtime now, as if it had been as long as the time so far. */
static void end_runtime(struct worker *w)
{
	struct phase_clock *k = &w->clock;
	uint64_t now = clock_ns();

	if (now >= k->deadline_ns)
		return;
	if (k->measure_end_ns != UINT64_MAX && k->measure_end_ns > now) {
		k->measure_end_ns = now;
		k->deadline_ns = now + w->clone.opts->time.cooldown_ns;
	} else if (!k->in_cooldown && w->window.edge != EDGE_UNTIL) {
		k->deadline_ns = now;
	}
	set_event(w);
}

/* Ends the runtime at the parent's request. While the job reads back its writes it has no deadline: the
   runtime ends when the job resumes its writes. */
static void handle_runtime_over(struct worker *w)
{
	_Atomic uint32_t *stop = &w->clone.slot->stop;

	if (!(atomic_fetch_and_explicit(stop, ~STOP_RUNTIME, memory_order_acquire) & STOP_RUNTIME))
		return;
	w->clock.runtime_over = true;
	if (w->clock.deadline_ns == UINT64_MAX)
		return;
	slot_write_begin(w->clone.slot);
	end_runtime(w);
	slot_write_end(w->clone.slot);
}

void phase_resume(struct worker *w, const struct phase_pause *p)
{
	struct phase_clock *k = &w->clock;
	uint64_t from = p->since_ns > k->start_ns ? p->since_ns : k->start_ns;

	k->now_ns = clock_ns();
	schedule_pause(&w->sched, k->now_ns - from);
	run_again(w);
	if (p->runtime)
		k->deadline_ns = p->deadline_ns;
	else
		resume_run(w, p, k->now_ns - from);
	if (k->runtime_over)
		end_runtime(w);
}

static uint64_t issued_by_group(const struct clone *c, const struct quota *q)
{
	const uint32_t *member;
	uint32_t n = plan_members(c->plan, c->job->report, &member);
	uint64_t sum = q->issued_bytes;

	for (uint32_t i = 0; i < n; i++)
		if (member[i] != c->job->index)
			sum += atomic_load_explicit(&region_slot(c->region, member[i])->issued_bytes,
						    memory_order_relaxed);
	return sum;
}

/* Returns true if a ramp by amount (ramp_size) is complete. It counts the bytes of all jobs that are
   reported as one group. */
static bool ramp_complete(const struct clone *c, const struct quota *q)
{
	return issued_by_group(c, q) > c->opts->time.ramp_bytes;
}

void phase_event(struct worker *w)
{
	uint64_t now = w->clock.now_ns, measured;

	if (w->clock.in_ramp && w->clone.opts->time.ramp_bytes && ramp_complete(&w->clone, &w->quota))
		phase_clock_set_deadline(&w->clock, &w->clone.opts->time, w->window.cut, now);
	if (w->clock.in_ramp && now >= w->clock.ramp_end_ns) {
		w->clock.in_ramp = false;
		phase_begin(w, w->clock.ramp_end_ns, PHASE_RUN);
		window_end_ramp(w, w->clock.ramp_end_ns);
	}
	wstat_fold(w->stats.st, &w->clone.job->layout);
	measured = earlier(now, w->clock.in_ramp ? UINT64_MAX : w->clock.measure_end_ns);
	if (w->stats.tracks->start_ns && measured >= w->stats.tracks->end_ns)
		tracks_close(w->stats.tracks, w->stats.st, measured);
	if (measured >= w->sched.current->rate_min_check_ns)
		schedule_check_rate_min(w, measured);
	if (!w->clock.in_ramp && now >= w->clock.measure_end_ns)
		window_end_runtime(w);
	set_event(w);
}

void phase_idle(struct worker *w)
{
	if (w->clock.now_ns < w->clock.event_ns)
		return;
	slot_write_begin(w->clone.slot);
	phase_event(w);
	window_idle(w);
	slot_write_end(w->clone.slot);
}

bool phase_handle_interrupt(struct worker *w)
{
	if (w->sched.paced & PACED_FLOW)
		atomic_fetch_and_explicit(&w->clone.slot->stop, ~STOP_FLOW, memory_order_relaxed);
	live_reply(w);
	handle_runtime_over(w);
	return clone_stopped(&w->clone);
}

bool phase_sleep(struct worker *w, uint64_t until)
{
	for (;;) {
		w->clock.now_ns = clock_ns();
		phase_idle(w);
		if (phase_over(w))
			return true;
		if (w->clock.now_ns >= until)
			return false;
		futex_wait_until(&w->clone.slot->stop, 0, wait_limit(&w->clock, until));
	}
}

void phase_end_measurement(struct worker *w, uint64_t end)
{
	wstat_fold(w->stats.st, &w->clone.job->layout);
	schedule_check_rate_min(w, end);
	schedule_end(w, earlier(end, w->clock.deadline_ns), false);
	tracks_finish(w->stats.tracks, w->stats.st, end);
	account_publish(w);
	fifo_events_measure_end(w->clone.region->events, w->clone.job->index);
}
