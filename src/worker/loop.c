/* loop.c: the hot path. The loop fills a batch, submits it, reaps a batch and accounts for it, with one clock
   read for all completions of a batch.

   Jobs of depth 1 have their own loop without a queue. */
#include <errno.h>
#include <string.h>
#include "account.h"
#include "clock.h"
#include "clone.h"
#include "io_queue.h"
#include "phase.h"
#include "loop.h"
#include "next_io.h"
#include "io.h"
#include "verify.h"
#include "schedule.h"
#include "window.h"
#include "worker.h"

/* After the engine took no I/O, the worker waits this long before it submits again. */
#define SUBMIT_RETRY_NS 50000

/* A row of I/Os of a synchronous engine ends after this time, so that the counts are never older. */
#define ROW_NS 50000

/* The worker issues no more I/Os: ends a window that is cut. */
static __attribute__((noinline)) void stop_window(struct worker *w)
{
	if (quota_paused(&w->quota))
		return;
	slot_write_begin(w->clone.slot);
	window_stop(w);
	slot_write_end(w->clone.slot);
}

/* Sets the priorities and the placement of n I/Os that were filled in, and saves the state of their writes.
   Returns false after clone_fail: they must not be submitted. */
static __attribute__((noinline)) bool before_submit(struct worker *w, struct io **ios, unsigned n)
{
	if (w->observers.prio.set)
		io_prio_draw(&w->observers.prio, ios, n);
	if (w->observers.placed)
		io_placement_draw(&w->observers, &w->clone, ios, n);
	return !w->verify || verify_before_submit(w, ios, n);
}

/* Counts n I/Os at the depth at which they are issued. `busy` I/Os are in flight, the n included. */
static inline __attribute__((always_inline)) void count_depth(struct worker *w, struct io *const *ios,
							      unsigned n, unsigned busy)
{
	unsigned level = wstat_depth_bucket(busy);

	w->stats.cnt->depth[level] += n;
	if (__builtin_expect(w->clock.in_ramp, 0))
		for (unsigned i = 0; i < n; i++)
			ios[i]->level = (uint8_t)level;
}

static unsigned next_ios(struct worker *w, unsigned room)
{
	return w->sched.nfiles ? next_io_by_file(w, room) : next_io_batch(w, room);
}

/* Fills idle I/Os up to the first trim. The submit call does this trim itself, and I/Os behind it would only
   wait. */
static unsigned next_up_to_trim(struct worker *w, unsigned room)
{
	unsigned n = 0;

	while (n < room && next_ios(w, 1)) {
		n++;
		if (w->q.ready[w->q.nready - 1]->op == IO_TRIM)
			break;
	}
	return n;
}

/* Fills up to `room` idle I/Os that are due and queues them. plain: see is_plain. */
static inline __attribute__((always_inline)) void fill(struct worker *w, unsigned room, bool plain)
{
	const struct plan_job *pj = w->clone.job;
	unsigned n = plain              ? next_io_batch(w, room)
		     : pj->single_trims ? next_up_to_trim(w, room)
					: next_ios(w, room);

	if (!n)
		return;
	if (plain || !pj->held_writes)
		count_depth(w, w->q.ready + w->q.nready - n, n, io_queue_busy(&w->q));
	if (__builtin_expect(w->observers.before_submit, 0) &&
	    !before_submit(w, w->q.ready + w->q.nready - n, n))
		w->q.nready -= n;
}

/* Stamps n I/Os that one call submitted. Each I/O starts with the call, because the caller waits for it from
   then on. The duration of the call is divided evenly among the I/Os, as their submission latency. An I/O
   that is retried, or continued after a short transfer, keeps its first stamps. */
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

/* Returns how many of n I/Os may be in one call if each trim has a call of its own. */
static unsigned up_to_trim(struct io *const *ios, unsigned n)
{
	unsigned i = 0;

	while (i < n && ios[i]->op != IO_TRIM)
		i++;
	return i || !n ? i : 1;
}

/* Returns how many of n I/Os of the queue, beginning at `at`, may be in one call. */
static __attribute__((noinline)) unsigned cut_part(const struct io_queue *q, unsigned at, unsigned n,
						   const struct plan_job *pj)
{
	if (pj->held_writes)
		n = overlap_hold_writes(q->ready + at, q->nready - at, n, q->ios, pj->depth);
	if (pj->single_trims)
		n = up_to_trim(q->ready + at, n);
	if (pj->serialize)
		n = overlap_run(q->ready + at, n, q->ios, pj->depth);
	return pj->submit_apart ? plug_run(q->ready + at, n) : n;
}

/* Returns how many I/Os of the queue, beginning at `at`, the next call submits. 0: others must complete
   first. */
static inline unsigned next_part(const struct io_queue *q, unsigned at, const struct plan_job *pj)
{
	unsigned left = q->nready - at, max = pj->submit_max, n = left < max ? left : max;

	return __builtin_expect(pj->submit_cut, 0) ? cut_part(q, at, n, pj) : n;
}

/* Submits the queue until the engine takes no more. Returns false if the engine failed. */
static inline __attribute__((always_inline)) bool submit_queue(struct worker *w, bool plain)
{
	unsigned at = 0;

	while (at < w->q.nready) {
		unsigned part = next_part(&w->q, at, w->clone.job);
		uint64_t start = clock_ns(), issued;
		int taken;

		if (__builtin_expect(!part, 0))
			break;
		atomic_store_explicit(&w->clone.slot->submit_ns, start, memory_order_relaxed);
		taken = engine_submit(&w->q.eng, w->q.ready + at, part);
		if (taken < 0) {
			clone_fail(&w->clone, -taken, "engine %s: submit: %s", w->q.eng.engine->name,
				   diag_errno(taken));
			return false;
		}
		if (taken == 0)
			break;
		w->clock.submitted_ns = issued = clock_ns();
		if (__builtin_expect(w->clone.recorder != NULL, 0))
			recorder_ios(&w->clone, w->q.ready + at, (unsigned)taken, start);
		stamp(w->q.ready + at, (unsigned)taken, start, issued);
		w->stats.cnt->submit[wstat_batch_bucket((unsigned)taken)]++;
		if (!plain && w->clone.job->held_writes)
			count_depth(w, w->q.ready + at, (unsigned)taken, w->q.eng.inflight);
		at += (unsigned)taken;
	}
	w->q.nready -= at;
	if (w->q.nready)
		memmove(w->q.ready, w->q.ready + at, w->q.nready * sizeof(*w->q.ready));
	return true;
}

static void wait_for_rate(struct worker *w)
{
	w->stats.cnt->due_waits_idle++;
	wait_due(w);
	phase_idle(w);
}

/* Returns how long the engine may sleep while it waits for completions. 0: an I/O is due so soon that the
   worker polls the engine, because a timer is less precise. */
static inline __attribute__((always_inline)) uint64_t reap_timeout(struct worker *w)
{
	uint64_t timeout;

	if (!w->sched.due_ns || !w->q.nidle)
		return UINT64_MAX;
	timeout = wait_due_timeout(w);
	w->stats.cnt->due_waits_engine += timeout != 0;
	return timeout;
}

/* Waits for completions and accounts for them. Returns false if the engine failed. */
static inline __attribute__((always_inline)) bool reap(struct worker *w, bool ending)
{
	unsigned busy = w->q.eng.inflight, min = w->clone.opts->queue.complete_min;
	unsigned max = w->clone.job->reap_max;
	uint64_t timeout = ending ? UINT64_MAX : reap_timeout(w);
	int n;

	if (ending || min > busy)
		min = 1;
	if (!timeout)
		min = 0;
	if (max < min)
		max = min;
	n = engine_reap(&w->q.eng, w->q.reaped, min, max, timeout);
	if (n < 0) {
		clone_fail(&w->clone, -n, "engine %s: reap: %s", w->q.eng.engine->name, diag_errno(n));
		return false;
	}
	if (n) {
		account(w, (unsigned)n);
	} else {
		w->clock.now_ns = clock_ns();
		phase_idle(w);
	}
	return true;
}

/* The engine took no I/O, and has none: the system lacks resources. Gives the first I/O up if that lasts too
   long, and waits. */
static void retry_submit(struct worker *w)
{
	struct io_queue *q = &w->q;

	if (!io_errors_retry(w, q->ready[0], EAGAIN)) {
		account_give_up(w, q->ready[0]);
		memmove(q->ready, q->ready + 1, --q->nready * sizeof(*q->ready));
	}
	wait_until(&w->clock, &w->clone, clock_ns() + SUBMIT_RETRY_NS);
}

/* The turns of loop_batch. Only the search for the depth of latency_target changes the depth meanwhile. */
static inline __attribute__((always_inline)) void batch_turns(struct worker *w, bool plain)
{
	const struct queue_cfg *cfg = &w->clone.opts->queue;
	unsigned depth = w->clone.job->depth, low = cfg->low && cfg->low < depth ? cfg->low : depth;
	bool draining = false;

	for (;;) {
		bool ending = phase_over(w);
		unsigned busy = io_queue_busy(&w->q);

		if (!plain && w->search)
			depth = low = w->search->depth;
		if (__builtin_expect(ending | w->quota.exhausted, 0))
			stop_window(w);
		if (ending)
			next_io_drop_ready(w);
		else if (!draining || busy <= low)
			fill(w, !plain && busy > depth ? 0 : depth - busy, plain);
		busy = io_queue_busy(&w->q);
		draining = low < depth && (busy == depth || (draining && busy > low));
		if (w->q.nready && !submit_queue(w, plain))
			ending = true;
		if (w->q.eng.inflight) {
			if (!reap(w, ending))
				return;
		} else if (ending || (w->quota.exhausted && !w->q.nready)) {
			return;
		} else if (w->q.nready) {
			retry_submit(w);
		} else {
			wait_for_rate(w);
		}
	}
}

/* Returns whether all files share one schedule, the depth stays the same, and no I/O waits for a trim. */
static bool is_plain(const struct worker *w)
{
	const struct plan_job *pj = w->clone.job;

	return !w->search && !w->sched.nfiles && !pj->single_trims && !pj->held_writes;
}

static void loop_batch(struct worker *w)
{
	if (is_plain(w))
		batch_turns(w, true);
	else
		batch_turns(w, false);
}

/* Submits one I/O and waits until it completes. Returns 1; 0 if the engine did not take it; or -errno after
   clone_fail. */
static int submit_and_reap(struct engine_ctx *eng, struct phase_clock *k, struct clone *c, struct io *io)
{
	int n = engine_submit(eng, &io, 1);

	if (n == 1 && !(eng->engine->caps & (ENG_SYNC | ENG_VIRTUAL)) && !io->done)
		k->submitted_ns = io->issue_ns = clock_ns();
	if (n > 0) {
		do
			n = engine_reap(eng, &io, 1, 1, UINT64_MAX);
		while (n == 0 && eng->inflight); /* a signal interrupted the wait */
	}
	if (n < 0)
		clone_fail(c, -n, "engine %s: %s", eng->engine->name, diag_errno(n));
	return n;
}

/* Prepares the submission of the only I/O. Returns false after clone_fail. */
static __attribute__((noinline)) bool before_only(struct worker *w, struct io *io)
{
	if (!before_submit(w, &io, 1))
		return false;
	io->start_ns = 0;
	if (w->clone.recorder)
		recorder_ios(&w->clone, &io, 1, clock_ns());
	return true;
}

/* Returns whether I/Os of a job of depth 1 may be counted in rows. */
static bool has_rows(const struct worker *w)
{
	unsigned dirs = w->clone.job->rw & RW_DIRS;

	return w->q.eng.engine->do_one && (w->source.uniform || w->source.zone_rows) && w->stats.simple &&
	       !(dirs & (dirs - 1)) && !w->observers.before_submit && !w->observers.after_batch;
}

/* Does the next I/O of a row. Returns when it completed. `start` is when the one before it completed: nothing
   but the draw from the row lies between the two, which takes less time than a read of the clock. A write is
   changed before, so it has a stamp of its own. */
static inline __attribute__((always_inline)) uint64_t do_next(struct worker *w, struct io *io,
							      uint64_t offset, uint64_t start)
{
	uint64_t now;

	io->offset = offset;
	if (io->dir == DIR_WRITE) {
		content_before_write(&w->content, io->buf, io->len, offset);
		start = clock_ns();
	}
	io->start_ns = io->issue_ns = start;
	engine_do_one(&w->q.eng, io);
	now = clock_ns();
	return now > start ? now : start;
}

/* Returns when a row ends at the latest. */
static uint64_t row_end(const struct phase_clock *k)
{
	uint64_t end = k->now_ns + ROW_NS;

	end = end < k->event_ns ? end : k->event_ns;
	return end < k->deadline_ns ? end : k->deadline_ns;
}

/* Counts an I/O of a row that completed at `now`: it ended the row, or failed. */
static __attribute__((noinline)) void account_last(struct worker *w, struct io *io, uint64_t now)
{
	w->q.nidle = 0;
	w->stats.cnt->depth[0]++;
	w->stats.cnt->submit[1]++;
	w->clock.submitted_ns = io->issue_ns;
	account_one(w, io, now);
}

/* Does I/Os one after the other and counts them together, which costs less than counting each. A row ends
   after ROW_NS, with an event, and with an I/O that is not complete. Returns false if there is no row. */
static bool run_row(struct worker *w, struct io *io)
{
	unsigned n = next_io_row(w, io), at = wstat_ring_at(w->stats.st, io->dir), done = 0;
	const uint64_t *offset = w->source.row.offset + w->source.row.at;
	struct wstat_pair *pair = &w->stats.st->ring[io->dir].pair[at];
	uint64_t end = row_end(&w->clock), last = clock_ns(), now = last;
	bool ended = false;

	n = n < WSTAT_RING - at ? n : WSTAT_RING - at;
	for (; done < n; done++) {
		now = do_next(w, io, offset[done], last);
		ended = now >= end || io->res != (int64_t)io->total;
		if (__builtin_expect(ended, 0))
			break;
		pair[done].lat = pair[done].clat = now - io->start_ns;
		last = now;
	}
	next_io_row_issued(w, io, done + ended);
	if (done)
		account_row(w, io, done, last);
	if (ended)
		account_last(w, io, now);
	return n;
}

/* Gives up the only I/O, which the engine has refused for too long. */
static __attribute__((noinline)) void give_up_only(struct worker *w, struct io *io)
{
	io->res = -EAGAIN; /* not that of the I/O before it */
	account_give_up(w, io);
}

/* Runs loop_one for plain jobs, or for those of next_io_zone_rows (zoned). */
static inline __attribute__((always_inline)) void one_turns(struct worker *w, bool zoned)
{
	struct io_queue *q = &w->q;
	bool once = q->eng.engine->do_one, rows = has_rows(w);
	struct io *io = q->idle[0];

	while (!phase_over(w)) {
		if (zoned && !q->nready && (w->source.zone_single | (io->res != (int64_t)io->len)))
			next_io_zone_done(w, io);
		if (rows && !w->observers.active && !q->nready && run_row(w, io))
			continue;
		enum next_io_result r = q->nready ? NEXT_IO
					: zoned   ? next_io_zoned(w, io, w->clock.now_ns)
						  : next_io(w, io, w->clock.now_ns);
		int n = 1;

		if (r == NEXT_END)
			return;
		if (r == NEXT_WAIT) {
			wait_for_rate(w);
			continue;
		}
		if (__builtin_expect(w->observers.before_submit, 0) && !q->nready && !before_only(w, io))
			return;
		q->nidle = q->nready = 0;
		w->stats.cnt->depth[0]++;
		w->stats.cnt->submit[1]++;
		if (!io->done)
			w->clock.submitted_ns = io->start_ns = io->issue_ns = clock_ns();
		if (once)
			engine_do_one(&q->eng, io);
		else
			n = submit_and_reap(&q->eng, &w->clock, &w->clone, io);
		if (n < 0)
			return;
		if (n)
			account_one(w, io, clock_ns());
		else if (io_errors_retry(w, io, EAGAIN))
			q->ready[q->nready++] = io; /* not taken: the loop tries again */
		else
			give_up_only(w, io);
	}
}

/* The loop for depth 1, without a queue. Only an I/O that must be continued is in q.ready. */
static void loop_one(struct worker *w)
{
	struct io *io = w->q.idle[0];

	if (w->source.zone_rows) {
		one_turns(w, true);
		next_io_zone_leave(w, io);
	} else {
		one_turns(w, false);
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

/* Ends a ramp that goes on, because the job ended in it, or no I/O completed. Nothing was measured. */
static void end_ramp(struct worker *w, uint64_t end)
{
	if (!w->clock.in_ramp)
		return;
	phase_begin(w, end < w->clock.ramp_end_ns ? end : w->clock.ramp_end_ns, PHASE_RUN);
	w->clock.in_ramp = false;
}

/* Reads back and checks what the job has written. */
static __attribute__((noinline)) void verify_pass(struct worker *w)
{
	slot_write_begin(w->clone.slot);
	end_ramp(w, clock_ns());
	slot_write_end(w->clone.slot);
	if (verify_begin(w))
		run_body(w);
	verify_end(w);
}

/* Runs the job until it has issued all its I/Os. A job that verifies pauses after each loop, and after each
   verify_backlog or trim_backlog writes. */
static void run_writes(struct worker *w)
{
	if (w->verify)
		verify_set_pause(w);
	run_body(w);
	while (quota_paused(&w->quota) && !phase_over(w)) {
		if (verify_begin_pause(w))
			run_body(w);
		verify_end_pause(w);
		if (!phase_over(w))
			run_body(w);
	}
}

static void loop_end(struct worker *w)
{
	struct slot *s = w->clone.slot;
	uint64_t end = clock_ns();

	slot_write_begin(s);
	end_ramp(w, end);
	window_stop(w);
	if (w->window.edge == EDGE_UNTIL)
		window_begin_cooldown(w, w->window.edge_ns);
	if (!w->clock.in_cooldown && w->clock.measure_end_ns <= end)
		window_begin_cooldown(w, w->clock.measure_end_ns);
	if (!w->clock.in_cooldown)
		phase_end_measurement(w, end);
	else
		window_note_slow_ios(&w->clone, w->stats.st);
	slot_write_end(s);
}

void loop_run(struct worker *w)
{
	const struct time_cfg *t = &w->clone.opts->time;
	uint64_t start = clock_ns();

	phase_clock_set_deadline(&w->clock, t, w->window.cut,
				 t->ramp_bytes || t->search ? UINT64_MAX : start + t->ramp_ns);
	w->clock.in_ramp = window_has_ramp(t);
	if (w->search)
		latency_search_begin(w, start);
	slot_write_begin(w->clone.slot);
	phase_begin(w, start, w->clock.in_ramp ? PHASE_RAMP : PHASE_RUN);
	slot_write_end(w->clone.slot);
	flow_wait_begin(w);
	if (!w->clone.opts->verify.only)
		run_writes(w);
	flow_wait_end(w);
	if (w->verify)
		verify_pass(w);
	loop_end(w);
}
