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
	w->event_ns = w->tracks->start_ns ? w->tracks->end_ns : UINT64_MAX;
	if (w->ramping && w->o->time.ramp_bytes)
		w->event_ns = 0; /* with every batch */
	else if (w->ramping && w->ramp_end_ns < w->event_ns)
		w->event_ns = w->ramp_end_ns;
	if (w->schedule->floor_ns < w->event_ns)
		w->event_ns = w->schedule->floor_ns;
	if (!w->ramping && w->measure_end_ns < w->event_ns)
		w->event_ns = w->measure_end_ns;
}

/* The end of the phase's clock, once the end of the ramp is known. */
static void set_deadline(struct worker *w, uint64_t ramp_end)
{
	uint64_t runtime = w->o->time.runtime_ns, cooldown = w->o->time.cooldown_ns;

	w->ramp_end_ns = ramp_end;
	w->deadline_ns = w->measure_end_ns = UINT64_MAX;
	if (ramp_end == UINT64_MAX || (!runtime && !w->o->time.ramp_only))
		return;
	w->deadline_ns = ramp_end + runtime + cooldown;
	if (cooldown_wanted(w) || w->window_cut)
		w->measure_end_ns = ramp_end + runtime;
}

/* Measurement begins at `start`: counts, intervals and schedules start afresh. */
static void begin_phase(struct worker *w, uint64_t start, enum worker_phase phase)
{
	struct slot *s = w->slot;

	wstat_init(w->st, &w->pj->layout);
	memset(w->cnt, 0, sizeof(*w->cnt));
	account_publish(w);
	if (phase == PHASE_RUN)
		tracks_start(w->tracks, &w->pj->tracks, &w->pj->layout, start);
	schedule_begin(w, start, phase == PHASE_RAMP);
	w->phase_start_ns = start;
	if (phase == PHASE_RUN) {
		worker_mark_start(w, start);
		fifo_events_started(w->region->events, w->pj->index);
	}
	atomic_store_explicit(&s->phase_start_ns, start, memory_order_relaxed);
	worker_phase(w, phase);
	set_event(w);
}

void loop_event(struct worker *w)
{
	uint64_t now = w->now_ns, measured;

	if (w->ramping && w->o->time.ramp_bytes && ramp_reached(w))
		set_deadline(w, now);
	if (w->ramping && now >= w->ramp_end_ns) {
		w->ramping = false;
		begin_phase(w, w->ramp_end_ns, PHASE_RUN);
		cool_ramp_over(w, w->ramp_end_ns);
	}
	wstat_fold(w->st, &w->pj->layout);
	measured = earlier(now, w->ramping ? UINT64_MAX : w->measure_end_ns);
	if (w->tracks->start_ns && measured >= w->tracks->end_ns)
		tracks_close(w->tracks, w->st, measured);
	if (measured >= w->schedule->floor_ns)
		schedule_floor(w, measured);
	if (!w->ramping && now >= w->measure_end_ns)
		cool_time_up(w);
	set_event(w);
}

/* While nothing completes: time goes on all the same. */
static void idle_event(struct worker *w)
{
	if (w->now_ns < w->event_ns)
		return;
	slot_begin(w->slot);
	loop_event(w);
	cool_idle(w);
	slot_end(w->slot);
}

/* The worker issues no more. */
static __attribute__((noinline)) void stop_window(struct worker *w)
{
	slot_begin(w->slot);
	cool_stop(w);
	slot_end(w->slot);
}

/* Fills idle I/Os, as many as are due and fit, and queues them. */
static void fill(struct worker *w, unsigned room)
{
	unsigned level,
		n = __builtin_expect(w->nschedules, 0) ? schedule_fill(w, room) : next_io_many(w, room);

	if (!n)
		return;
	level = wstat_depth_bucket(w->nqueue + w->eng.with_engine);
	w->cnt->depth[level] += n;
	if (__builtin_expect(w->ramping, 0))
		for (unsigned i = w->nqueue - n; i < w->nqueue; i++)
			w->queue[i]->level = (uint8_t)level;
	if (__builtin_expect(w->prio.set != NULL, 0))
		io_prio_draw(w, w->queue + w->nqueue - n, n);
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
	unsigned left = w->nqueue - at, max = w->pj->submit_max, n = left < max ? left : max;

	return __builtin_expect(w->pj->submit_apart, 0) ? plug_run(w->queue + at, n) : n;
}

/* Hands the queue to the engine until it takes no more. */
static bool submit_queue(struct worker *w)
{
	unsigned at = 0;

	while (at < w->nqueue) {
		unsigned part = next_part(w, at);
		uint64_t start = clock_ns(), issued;
		int took;

		atomic_store_explicit(&w->slot->submit_ns, start, memory_order_relaxed);
		took = eng_submit(&w->eng, w->queue + at, part);
		if (took < 0) {
			worker_fail(w, -took, "engine %s: submit: %s", w->eng.engine->name, diag_errno(took));
			return false;
		}
		if (took == 0)
			break;
		w->issued_ns = issued = clock_ns();
		stamp(w->queue + at, (unsigned)took, start, issued);
		w->cnt->submit[wstat_batch_bucket((unsigned)took)]++;
		at += (unsigned)took;
	}
	w->nqueue -= at;
	if (w->nqueue)
		memmove(w->queue, w->queue + at, w->nqueue * sizeof(*w->queue));
	return true;
}

static void wait_for_rate(struct worker *w)
{
	w->cnt->rested++;
	wait_due(w);
	idle_event(w);
}

static __attribute__((noinline)) bool called_off(struct worker *w)
{
	live_reply(w);
	return worker_stopped(w);
}

static inline bool over(struct worker *w)
{
	if (__builtin_expect(worker_called(w), 0) && called_off(w))
		return true;
	return w->now_ns >= w->deadline_ns || w->failed;
}

/* Waits for completions. False when the engine is broken. */
static bool reap(struct worker *w, bool ending)
{
	const struct queue_cfg *q = &w->o->queue;
	unsigned busy = w->eng.with_engine, min = q->complete_min, max = w->pj->reap_max;
	uint64_t timeout = UINT64_MAX;
	int n;

	if (ending || min > busy)
		min = 1;
	if (w->pace_due_ns && !ending && w->nfree) {
		/* A short wait is polled: no timer is that precise. */
		timeout = wait_due_timeout(w);
		if (timeout)
			w->cnt->held++;
		else
			min = 0;
	}
	if (max < min)
		max = min;
	n = eng_reap(&w->eng, w->batch, min, max, timeout);
	if (n < 0) {
		worker_fail(w, -n, "engine %s: reap: %s", w->eng.engine->name, diag_errno(n));
		return false;
	}
	if (n) {
		account(w, (unsigned)n);
	} else {
		w->now_ns = clock_ns();
		idle_event(w);
	}
	return true;
}

static void loop_batch(struct worker *w)
{
	const struct queue_cfg *q = &w->o->queue;
	unsigned depth = w->pj->depth, low = q->low && q->low < depth ? q->low : depth;
	bool draining = false;

	for (;;) {
		bool ending = over(w);
		unsigned busy = w->nqueue + w->eng.with_engine;

		if (__builtin_expect(ending | w->exhausted, 0))
			stop_window(w);
		if (ending)
			w->nqueue = 0;
		else if (!draining || busy <= low)
			fill(w, depth - busy);
		busy = w->nqueue + w->eng.with_engine;
		draining = low < depth && (busy == depth || (draining && busy > low));
		if (w->nqueue && !submit_queue(w))
			ending = true;
		if (w->eng.with_engine) {
			if (!reap(w, ending))
				return;
		} else if (ending || (w->exhausted && !w->nqueue)) {
			return;
		} else if (w->nqueue) {
			/* the engine took nothing: the system is short */
			if (!io_errors_retry(w, w->queue[0], EAGAIN)) {
				account_give_up(w, w->queue[0]);
				memmove(w->queue, w->queue + 1, --w->nqueue * sizeof(*w->queue));
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
	int n = eng_submit(&w->eng, &io, 1);

	if (n == 1 && !(w->eng.engine->caps & (ENG_SYNC | ENG_VIRTUAL)) && !io->done)
		w->issued_ns = io->issue_ns = clock_ns();
	do {
		if (n > 0)
			n = eng_reap(&w->eng, &io, 1, 1, UINT64_MAX);
	} while (n == 0 && w->eng.with_engine);
	if (n < 0)
		worker_fail(w, -n, "engine %s: %s", w->eng.engine->name, diag_errno(n));
	return n;
}

/* Depth 1: the same work without a queue. */
static void loop_one(struct worker *w)
{
	bool once = w->eng.engine->do_one;
	struct io *io = w->free_io[0];

	while (!over(w)) {
		enum next_io_result r = w->nqueue ? NEXT_IO : next_io(w, io, w->now_ns);
		int n = 1;

		if (r == NEXT_END)
			return;
		if (r == NEXT_WAIT) {
			wait_for_rate(w);
			continue;
		}
		if (__builtin_expect(w->prio.set != NULL, 0) && !w->nqueue)
			io_prio_draw(w, &io, 1);
		w->nfree = w->nqueue = 0;
		w->cnt->depth[0]++;
		w->cnt->submit[1]++;
		if (!io->done)
			w->issued_ns = io->start_ns = io->issue_ns = clock_ns();
		if (once)
			eng_do_one(&w->eng, io);
		else
			n = there_and_back(w, io);
		if (n < 0)
			return;
		if (n)
			account_one(w, io);
		else if (io_errors_retry(w, io, EAGAIN))
			w->queue[w->nqueue++] = io; /* not taken: again */
		else
			account_give_up(w, io);
	}
}

bool loop_rest(struct worker *w, uint64_t until)
{
	for (;;) {
		w->now_ns = clock_ns();
		idle_event(w);
		if (over(w))
			return true;
		if (w->now_ns >= until)
			return false;
		futex_wait_until(&w->slot->stop, 0, wait_look(w, until));
	}
}

static void run_body(struct worker *w)
{
	w->now_ns = clock_ns();
	if (w->eng.engine->caps & ENG_NOIO)
		noio_run(w);
	else if (w->pj->depth == 1)
		loop_one(w);
	else
		loop_batch(w);
}

void loop_measured(struct worker *w, uint64_t end)
{
	wstat_fold(w->st, &w->pj->layout);
	schedule_floor(w, end);
	if (w->edge != EDGE_UNTIL)
		schedule_end(w, earlier(end, w->deadline_ns));
	tracks_finish(w->tracks, w->st, end);
	account_publish(w);
	fifo_events_measured(w->region->events, w->pj->index);
}

static void loop_end(struct worker *w)
{
	struct slot *s = w->slot;
	uint64_t end = clock_ns();

	slot_begin(s);
	if (w->ramping) { /* nothing was measured: the job ended first, or no I/O did */
		begin_phase(w, earlier(end, w->ramp_end_ns), PHASE_RUN);
		w->ramping = false;
	}
	cool_stop(w);
	if (w->edge == EDGE_UNTIL)
		cooldown_begin(w, w->edge_ns);
	if (!w->cooling && w->measure_end_ns <= end)
		cooldown_begin(w, w->measure_end_ns);
	if (!w->cooling)
		loop_measured(w, end);
	cool_note(w);
	slot_end(s);
}

void loop_run(struct worker *w)
{
	const struct time_cfg *t = &w->o->time;
	uint64_t start = clock_ns();

	set_deadline(w, t->ramp_bytes ? UINT64_MAX : start + t->ramp_ns);
	w->ramping = t->ramp_ns || t->ramp_bytes;
	slot_begin(w->slot);
	begin_phase(w, start, w->ramping ? PHASE_RAMP : PHASE_RUN);
	slot_end(w->slot);
	run_body(w);
	loop_end(w);
}
