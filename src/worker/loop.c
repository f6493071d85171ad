/* loop.c: the hot path. Fill a batch, submit it, reap a batch, account for it; one clock read serves a batch.

   Two bodies: one I/O at a time (depth 1), and batches. What an I/O costs beyond the engine is next_io and
   account_io. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include "account.h"
#include "clock.h"
#include "fifo_events.h"
#include "plug.h"
#include "worker.h"

/* Pause before an engine that took nothing is asked again. */
#define RETRY_NS 50000

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* When intervals close, the ramp ends, or the floor is judged. The number (slot seq) is odd. */
static void set_event(struct worker *w)
{
	w->clock.event_ns = w->stats.tracks->start_ns ? w->stats.tracks->end_ns : UINT64_MAX;
	if (w->clock.ramping && w->clone.opts->time.ramp_bytes)
		w->clock.event_ns = 0; /* with every batch */
	else if (w->clock.ramping && w->clock.ramp_end_ns < w->clock.event_ns)
		w->clock.event_ns = w->clock.ramp_end_ns;
	if (w->sched.current->floor_ns < w->clock.event_ns)
		w->clock.event_ns = w->sched.current->floor_ns;
	if (!w->clock.ramping && w->clock.measure_end_ns < w->clock.event_ns)
		w->clock.event_ns = w->clock.measure_end_ns;
}

/* The end of the phase's clock, once the end of the ramp is known. */
static void set_deadline(struct worker *w, uint64_t ramp_end)
{
	uint64_t runtime = w->clone.opts->time.runtime_ns, cooldown = w->clone.opts->time.cooldown_ns;

	w->clock.ramp_end_ns = ramp_end;
	w->clock.deadline_ns = w->clock.measure_end_ns = UINT64_MAX;
	if (ramp_end == UINT64_MAX || (!runtime && !w->clone.opts->time.ramp_only))
		return;
	w->clock.deadline_ns = ramp_end + runtime + cooldown;
	if (cooldown_wanted(w) || w->window.cut)
		w->clock.measure_end_ns = ramp_end + runtime;
}

/* Measurement begins at `start`: counts, intervals and schedules start afresh. */
static void begin_phase(struct worker *w, uint64_t start, enum worker_phase phase)
{
	struct slot *s = w->clone.slot;

	wstat_init(w->stats.st, &w->clone.job->layout);
	memset(w->stats.cnt, 0, sizeof(*w->stats.cnt));
	account_publish(w);
	if (phase == PHASE_RUN)
		tracks_start(w->stats.tracks, &w->clone.job->tracks, &w->clone.job->layout, start);
	schedule_begin(w, start, phase == PHASE_RAMP);
	w->clock.start_ns = start;
	if (phase == PHASE_RUN) {
		worker_mark_start(w, start);
		fifo_events_started(w->clone.region->events, w->clone.job->index);
	}
	atomic_store_explicit(&s->phase_start_ns, start, memory_order_relaxed);
	clone_set_phase(&w->clone, phase);
	set_event(w);
}

void loop_event(struct worker *w)
{
	uint64_t now = w->clock.now_ns, measured;

	if (w->clock.ramping && w->clone.opts->time.ramp_bytes && ramp_reached(w))
		set_deadline(w, now);
	if (w->clock.ramping && now >= w->clock.ramp_end_ns) {
		w->clock.ramping = false;
		begin_phase(w, w->clock.ramp_end_ns, PHASE_RUN);
		cool_ramp_over(w, w->clock.ramp_end_ns);
	}
	wstat_fold(w->stats.st, &w->clone.job->layout);
	measured = earlier(now, w->clock.ramping ? UINT64_MAX : w->clock.measure_end_ns);
	if (w->stats.tracks->start_ns && measured >= w->stats.tracks->end_ns)
		tracks_close(w->stats.tracks, w->stats.st, measured);
	if (measured >= w->sched.current->floor_ns)
		schedule_floor(w, measured);
	if (!w->clock.ramping && now >= w->clock.measure_end_ns)
		cool_time_up(w);
	set_event(w);
}

/* While nothing completes: time goes on all the same. */
static void idle_event(struct worker *w)
{
	if (w->clock.now_ns < w->clock.event_ns)
		return;
	slot_begin(w->clone.slot);
	loop_event(w);
	cool_idle(w);
	slot_end(w->clone.slot);
}

/* The worker issues no more. */
static __attribute__((noinline)) void stop_window(struct worker *w)
{
	slot_begin(w->clone.slot);
	cool_stop(w);
	slot_end(w->clone.slot);
}

/* Fills idle I/Os, as many as are due and fit, and queues them. */
static void fill(struct worker *w, unsigned room)
{
	unsigned level,
		n = __builtin_expect(w->sched.nfiles, 0) ? schedule_fill(w, room) : next_io_many(w, room);

	if (!n)
		return;
	level = wstat_depth_bucket(io_queue_busy(&w->q));
	w->stats.cnt->depth[level] += n;
	if (__builtin_expect(w->clock.ramping, 0))
		for (unsigned i = w->q.nready - n; i < w->q.nready; i++)
			w->q.ready[i]->level = (uint8_t)level;
	if (__builtin_expect(w->observers.prio.set != NULL, 0))
		io_prio_draw(w, w->q.ready + w->q.nready - n, n);
}

/* One call has submitted n I/Os. Each of them begins with the call: from then on the caller waits for it. The
   call's time is divided evenly among them, as their submission latency. An I/O that is tried again, or goes
   on after a short transfer, keeps its first stamps. */
static void stamp(struct io **ios, unsigned n, uint64_t start, uint64_t issued)
{
	uint64_t issue = start + (issued - start) / n;

#pragma GCC unroll 4
	for (unsigned i = 0; i < n; i++) {
		struct io *io = ios[i];

		if (io->start_ns)
			continue;
		io->start_ns = start;
		io->issue_ns = issue;
	}
}

/* How many I/Os of the queue, from the one at `at` on, the next call submits. */
static inline unsigned next_part(const struct worker *w, unsigned at)
{
	unsigned left = w->q.nready - at, max = w->clone.job->submit_max, n = left < max ? left : max;

	return __builtin_expect(w->clone.job->submit_apart, 0) ? plug_run(w->q.ready + at, n) : n;
}

/* Hands the queue to the engine until it takes no more. */
static bool submit_queue(struct worker *w)
{
	unsigned at = 0;

	while (at < w->q.nready) {
		unsigned part = next_part(w, at);
		uint64_t start = clock_ns(), issued;
		int took;

		atomic_store_explicit(&w->clone.slot->submit_ns, start, memory_order_relaxed);
		took = eng_submit(&w->q.eng, w->q.ready + at, part);
		if (took < 0) {
			clone_fail(&w->clone, -took, "engine %s: submit: %s", w->q.eng.engine->name,
				   diag_errno(took));
			return false;
		}
		if (took == 0)
			break;
		w->clock.submitted_ns = issued = clock_ns();
		stamp(w->q.ready + at, (unsigned)took, start, issued);
		w->stats.cnt->submit[wstat_batch_bucket((unsigned)took)]++;
		at += (unsigned)took;
	}
	w->q.nready -= at;
	if (w->q.nready)
		memmove(w->q.ready, w->q.ready + at, w->q.nready * sizeof(*w->q.ready));
	return true;
}

static void wait_for_rate(struct worker *w)
{
	w->stats.cnt->rested++;
	wait_due(w);
	idle_event(w);
}

static __attribute__((noinline)) bool called_off(struct worker *w)
{
	live_reply(w);
	return clone_stopped(&w->clone);
}

static inline bool over(struct worker *w)
{
	if (__builtin_expect(clone_interrupted(&w->clone), 0) && called_off(w))
		return true;
	return w->clock.now_ns >= w->clock.deadline_ns || w->clone.failed;
}

/* Waits for completions. False when the engine is broken. */
static bool reap(struct worker *w, bool ending)
{
	const struct queue_cfg *q = &w->clone.opts->queue;
	unsigned busy = w->q.eng.with_engine, min = q->complete_min, max = w->clone.job->reap_max;
	uint64_t timeout = UINT64_MAX;
	int n;

	if (ending || min > busy)
		min = 1;
	if (w->sched.due_ns && !ending && w->q.nidle) {
		/* A short wait is polled: no timer is that precise. */
		timeout = wait_due_timeout(w);
		if (timeout)
			w->stats.cnt->held++;
		else
			min = 0;
	}
	if (max < min)
		max = min;
	n = eng_reap(&w->q.eng, w->q.reaped, min, max, timeout);
	if (n < 0) {
		clone_fail(&w->clone, -n, "engine %s: reap: %s", w->q.eng.engine->name, diag_errno(n));
		return false;
	}
	if (n) {
		account(w, (unsigned)n);
	} else {
		w->clock.now_ns = clock_ns();
		idle_event(w);
	}
	return true;
}

static void loop_batch(struct worker *w)
{
	const struct queue_cfg *q = &w->clone.opts->queue;
	unsigned depth = w->clone.job->depth, low = q->low && q->low < depth ? q->low : depth;
	bool draining = false;

	for (;;) {
		bool ending = over(w);
		unsigned busy = io_queue_busy(&w->q);

		if (__builtin_expect(ending | w->quota.exhausted, 0))
			stop_window(w);
		if (ending)
			w->q.nready = 0;
		else if (!draining || busy <= low)
			fill(w, depth - busy);
		busy = io_queue_busy(&w->q);
		draining = low < depth && (busy == depth || (draining && busy > low));
		if (w->q.nready && !submit_queue(w))
			ending = true;
		if (w->q.eng.with_engine) {
			if (!reap(w, ending))
				return;
		} else if (ending || (w->quota.exhausted && !w->q.nready)) {
			return;
		} else if (w->q.nready) {
			/* the engine took nothing: the system is short */
			if (!io_errors_retry(w, w->q.ready[0], EAGAIN)) {
				account_give_up(w, w->q.ready[0]);
				memmove(w->q.ready, w->q.ready + 1, --w->q.nready * sizeof(*w->q.ready));
			}
			wait_until(w, clock_ns() + RETRY_NS);
		} else {
			wait_for_rate(w);
		}
	}
}

/* One I/O to the engine and back: 1; 0 if it was not taken; -errno. */
static int there_and_back(struct worker *w, struct io *io)
{
	int n = eng_submit(&w->q.eng, &io, 1);

	if (n == 1 && !(w->q.eng.engine->caps & (ENG_SYNC | ENG_VIRTUAL)) && !io->done)
		w->clock.submitted_ns = io->issue_ns = clock_ns();
	do {
		if (n > 0)
			n = eng_reap(&w->q.eng, &io, 1, 1, UINT64_MAX);
	} while (n == 0 && w->q.eng.with_engine);
	if (n < 0)
		clone_fail(&w->clone, -n, "engine %s: %s", w->q.eng.engine->name, diag_errno(n));
	return n;
}

/* Depth 1: the same work without a queue. */
static void loop_one(struct worker *w)
{
	bool once = w->q.eng.engine->do_one;
	struct io *io = w->q.idle[0];

	while (!over(w)) {
		enum next_io_result r = w->q.nready ? NEXT_IO : next_io(w, io, w->clock.now_ns);
		int n = 1;

		if (r == NEXT_END)
			return;
		if (r == NEXT_WAIT) {
			wait_for_rate(w);
			continue;
		}
		if (__builtin_expect(w->observers.prio.set != NULL, 0) && !w->q.nready)
			io_prio_draw(w, &io, 1);
		w->q.nidle = w->q.nready = 0;
		w->stats.cnt->depth[0]++;
		w->stats.cnt->submit[1]++;
		if (!io->done)
			w->clock.submitted_ns = io->start_ns = io->issue_ns = clock_ns();
		if (once)
			eng_do_one(&w->q.eng, io);
		else
			n = there_and_back(w, io);
		if (n < 0)
			return;
		if (n)
			account_one(w, io);
		else if (io_errors_retry(w, io, EAGAIN))
			w->q.ready[w->q.nready++] = io; /* not taken: again */
		else
			account_give_up(w, io);
	}
}

bool loop_rest(struct worker *w, uint64_t until)
{
	for (;;) {
		w->clock.now_ns = clock_ns();
		idle_event(w);
		if (over(w))
			return true;
		if (w->clock.now_ns >= until)
			return false;
		futex_wait_until(&w->clone.slot->stop, 0, wait_look(w, until));
	}
}

static void run_body(struct worker *w)
{
	w->clock.now_ns = clock_ns();
	if (w->q.eng.engine->caps & ENG_NOIO)
		noio_run(w);
	else if (w->clone.job->depth == 1)
		loop_one(w);
	else
		loop_batch(w);
}

void loop_measured(struct worker *w, uint64_t end)
{
	wstat_fold(w->stats.st, &w->clone.job->layout);
	schedule_floor(w, end);
	if (w->window.edge != EDGE_UNTIL)
		schedule_end(w, earlier(end, w->clock.deadline_ns));
	tracks_finish(w->stats.tracks, w->stats.st, end);
	account_publish(w);
	fifo_events_measured(w->clone.region->events, w->clone.job->index);
}

static void loop_end(struct worker *w)
{
	struct slot *s = w->clone.slot;
	uint64_t end = clock_ns();

	slot_begin(s);
	if (w->clock.ramping) { /* nothing was measured: the job ended first, or no I/O did */
		begin_phase(w, earlier(end, w->clock.ramp_end_ns), PHASE_RUN);
		w->clock.ramping = false;
	}
	cool_stop(w);
	if (w->window.edge == EDGE_UNTIL)
		cooldown_begin(w, w->window.edge_ns);
	if (!w->clock.cooling && w->clock.measure_end_ns <= end)
		cooldown_begin(w, w->clock.measure_end_ns);
	if (!w->clock.cooling)
		loop_measured(w, end);
	cool_note(w);
	slot_end(s);
}

void loop_run(struct worker *w)
{
	const struct time_cfg *t = &w->clone.opts->time;
	uint64_t start = clock_ns();

	set_deadline(w, t->ramp_bytes ? UINT64_MAX : start + t->ramp_ns);
	w->clock.ramping = t->ramp_ns || t->ramp_bytes;
	slot_begin(w->clone.slot);
	begin_phase(w, start, w->clock.ramping ? PHASE_RAMP : PHASE_RUN);
	slot_end(w->clone.slot);
	run_body(w);
	loop_end(w);
}
