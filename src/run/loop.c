/* loop.c: the hot path. Fill a batch, submit it, reap a batch, account for it; one clock read serves a batch.

   Two bodies: one I/O at a time (depth 1), and batches. What an I/O costs beyond the engine is serve_next and
   account_io. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/uio.h>
#include "clock.h"
#include "named.h"
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
	if (w->arrive->floor_ns < w->event_ns)
		w->event_ns = w->arrive->floor_ns;
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
	if (cool_wanted(w))
		w->measure_end_ns = ramp_end + runtime;
}

static void publish(struct worker *w)
{
	struct slot *s = w->slot;

	if (__builtin_expect(w->cooling, 0))
		return;
	for (int d = 0; d < DIR_COUNT; d++) {
		atomic_store_explicit(&s->live_ios[d], w->st->dir[d].ios, memory_order_relaxed);
		atomic_store_explicit(&s->live_bytes[d], w->st->dir[d].bytes, memory_order_relaxed);
	}
	atomic_store_explicit(&s->issued_bytes, w->all_issued_bytes, memory_order_relaxed);
}

/* Measurement begins at `start`: counts, intervals and schedules start afresh. */
static void begin_phase(struct worker *w, uint64_t start, enum worker_phase phase)
{
	struct slot *s = w->slot;

	wstat_init(w->st, &w->pj->layout);
	memset(w->cnt, 0, sizeof(*w->cnt));
	publish(w);
	if (phase == PHASE_RUN)
		tracks_start(w->tracks, &w->pj->tracks, &w->pj->layout, start);
	arrive_begin(w, start, phase == PHASE_RAMP);
	w->phase_start_ns = start;
	if (phase == PHASE_RUN) {
		worker_mark_start(w, start);
		named_started(w);
	}
	atomic_store_explicit(&s->phase_start_ns, start, memory_order_relaxed);
	atomic_store_explicit(&s->phase, phase, memory_order_release);
	set_event(w);
}

static void on_event(struct worker *w, uint64_t now)
{
	uint64_t measured;

	if (w->ramping && w->o->time.ramp_bytes && ramp_reached(w))
		set_deadline(w, now);
	if (w->ramping && now >= w->ramp_end_ns) {
		w->ramping = false;
		begin_phase(w, w->ramp_end_ns, PHASE_RUN);
	}
	measured = earlier(now, w->ramping ? UINT64_MAX : w->measure_end_ns);
	if (w->tracks->start_ns && measured >= w->tracks->end_ns)
		tracks_close(w->tracks, w->st, measured);
	if (measured >= w->arrive->floor_ns)
		arrive_floor(w, measured);
	if (!w->ramping && now >= w->measure_end_ns)
		cool_begin(w);
	set_event(w);
}

/* While nothing completes: time goes on all the same. */
static void idle_event(struct worker *w)
{
	if (w->now_ns < w->event_ns)
		return;
	slot_begin(w->slot);
	on_event(w, w->now_ns);
	slot_end(w->slot);
}

static inline void add_lat(struct wstat *st, const struct wstat_layout *l, unsigned dir, enum lat_kind kind,
			   uint64_t ns)
{
	if (l->moments[dir][kind])
		moments_add(&st->dir[dir].lat[kind], ns);
	if (l->hist[dir][kind])
		hist_add(&st->hist[l->hist[dir][kind] - 1], ns);
}

/* One completed I/O, whole. */
static inline void account_io(struct worker *w, const struct io *io, uint64_t now)
{
	struct wstat *st = w->st;
	const struct wstat_layout *l = &w->pj->layout;
	struct wstat_dir *d = &st->dir[io->dir];
	uint64_t clat = now > io->issue_ns ? now - io->issue_ns : 0;

	d->ios++;
	d->bytes += io->total;
	add_lat(st, l, io->dir, LAT_CLAT, clat);
	if (io->dir == DIR_SYNC)
		return;
	add_lat(st, l, io->dir, LAT_SLAT, io->issue_ns - io->start_ns);
	add_lat(st, l, io->dir, LAT_LAT, now > io->start_ns ? now - io->start_ns : 0);
	if (w->paced)
		add_lat(st, l, io->dir, LAT_RESP, now > io->due_ns ? now - io->due_ns : 0);
}

/* fill_device: nothing fits any more, and that is the end. What did fit of this I/O counts. */
static void filled_up(struct worker *w, struct io *io)
{
	serve_stop(w);
	worker_note(w, "fill_device=1: the file system of %s is full", io->file->path);
	if (!io->done || io->dir == DIR_SYNC)
		return;
	io->total = io->done;
	account_io(w, io, w->now_ns);
	if (w->log && !w->ramping && !w->cooling)
		log_one(w, io);
}

/* A completion that did not move all: continue it. True if the I/O must be issued again. */
static bool again(struct worker *w, struct io *io)
{
	if (io->res == -EINTR || (io->res == -EAGAIN && !(io->rwf & RWF_NOWAIT)))
		return failed_passing(w, io, (int)-io->res);
	if (io->res == -ENOSPC && w->o->files.fill && io->op != IO_READ) {
		filled_up(w, io);
		return false;
	}
	if (io->res < 0) {
		failed_io(w, io, (int)-io->res, diag_errno((int)io->res));
		return false;
	}
	if (io->res == 0) {
		failed_io(w, io, EIO,
			  io->op == IO_READ ? "end of file (it has become shorter)" : "nothing was written");
		return false;
	}
	if (!io->done)
		w->st->dir[io->dir].short_ios++;
	io->done += (uint32_t)io->res;
	io->offset += (uint64_t)io->res;
	io->buf = (unsigned char *)io->buf + io->res;
	io->len -= (uint32_t)io->res;
	return true;
}

static inline bool io_whole(const struct io *io)
{
	return __builtin_expect(io->res == (int64_t)io->len, 1);
}

/* Back to how serve_next leaves an I/O, after short parts moved its buffer and offset along. */
static void rewind_io(struct worker *w, struct io *io)
{
	io->buf = w->bufs.base + io->index * w->bufs.stride;
	io->offset -= io->done;
}

/* Given up without having come back. */
static void give_up(struct worker *w, struct io *io)
{
	if (io->done)
		rewind_io(w, io);
	serve_done(w, io);
	w->free_io[w->nfree++] = io;
}

/* What only some jobs want to know of a batch. */
static __attribute__((noinline)) void account_more(struct worker *w, unsigned n)
{
	if (w->watch_latency)
		failed_latency(w, n);
	if (w->prio.set)
		prio_account(w, n);
	if (w->parts && !w->ramping && !w->cooling)
		parts_account(w, n);
	if (w->log && !w->ramping && !w->cooling)
		log_batch(w, n);
}

/* n I/Os of w->batch came back. Those that must go on stand in w->queue afterwards. */
static void account(struct worker *w, unsigned n)
{
	slot_begin(w->slot);
	w->now_ns = clock_ns();
	if (__builtin_expect(w->now_ns >= w->event_ns, 0))
		on_event(w, w->now_ns);
	w->cnt->complete[wstat_batch_bucket(n)]++;
	if (__builtin_expect(w->watched, 0))
		account_more(w, n);
	for (unsigned i = 0; i < n; i++) {
		struct io *io = w->batch[i];

		if (io_whole(io)) {
			account_io(w, io, w->now_ns);
		} else if (again(w, io)) {
			w->queue[w->nqueue++] = io;
			continue;
		}
		if (__builtin_expect(io->done != 0, 0))
			rewind_io(w, io);
		serve_done(w, io);
		w->free_io[w->nfree++] = io;
	}
	publish(w);
	slot_end(w->slot);
	if (__builtin_expect(w->log != NULL, 0))
		log_room(w);
}

/* Fills idle I/Os, as many as are due and fit, and queues them. */
static void fill(struct worker *w, unsigned room)
{
	unsigned n = __builtin_expect(w->narrives, 0) ? arrive_fill(w, room) : serve_many(w, room);

	if (!n)
		return;
	w->cnt->depth[wstat_depth_bucket(w->nqueue + w->eng.with_engine)] += n;
	if (__builtin_expect(w->prio.set != NULL, 0))
		prio_draw(w, w->queue + w->nqueue - n, n);
}

/* One call has submitted n I/Os, one after the other: each gets its share of the time. So slat and clat are
   what they would be had each been submitted alone, and a call that blocks is not taken for a fast
   completion. */
static void stamp(struct io **ios, unsigned n, uint64_t start, uint64_t issued)
{
	uint64_t share = (issued - start) / n;

	for (unsigned i = 0; i < n; i++, start += share) {
		if (ios[i]->done)
			continue;
		ios[i]->start_ns = start;
		ios[i]->issue_ns = start + share;
	}
}

/* Hands the queue to the engine, at most `limit` I/Os a call, until it takes no more. */
static bool submit_queue(struct worker *w, unsigned limit)
{
	unsigned at = 0;

	while (at < w->nqueue) {
		unsigned part = w->nqueue - at < limit ? w->nqueue - at : limit;
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
		issued = clock_ns();
		stamp(w->queue + at, (unsigned)took, start, issued);
		w->cnt->submit[wstat_batch_bucket((unsigned)took)]++;
		at += (unsigned)took;
	}
	w->nqueue -= at;
	if (w->nqueue)
		memmove(w->queue, w->queue + at, w->nqueue * sizeof(*w->queue));
	return true;
}

/* When a worker that waits for its turn looks up: an I/O is due, the job is over, an interval or the ramp
   ends. */
static uint64_t next_look(const struct worker *w)
{
	return wait_look(w, w->pace_due_ns);
}

static void wait_for_rate(struct worker *w)
{
	w->cnt->rested++;
	wait_until(w, next_look(w));
	idle_event(w);
}

static bool over(struct worker *w)
{
	if (__builtin_expect(worker_called(w), 0)) {
		answer(w);
		if (worker_stopped(w))
			return true;
	}
	return w->now_ns >= w->deadline_ns || w->failed;
}

/* Waits for completions. False when the engine is broken. */
static bool reap(struct worker *w, bool ending)
{
	const struct queue_cfg *q = &w->o->queue;
	unsigned busy = w->eng.with_engine, min = q->complete_min, max = q->complete_max;
	uint64_t timeout = UINT64_MAX;
	int n;

	if (ending || min > busy)
		min = 1;
	if (w->pace_due_ns && !ending && w->nfree) {
		/* A short wait is polled: no timer is that precise. */
		timeout = wait_timeout(w, next_look(w));
		if (timeout)
			w->cnt->held++;
		else
			min = 0;
	}
	if (!max || max > w->pj->depth)
		max = w->pj->depth;
	n = eng_reap(&w->eng, w->batch, min, max < min ? min : max, timeout);
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
	unsigned limit = q->batch ? q->batch : depth;
	bool draining = false;

	for (;;) {
		bool ending = over(w);
		unsigned busy = w->nqueue + w->eng.with_engine;

		if (ending)
			w->nqueue = 0;
		else if (!draining || busy <= low)
			fill(w, depth - busy);
		busy = w->nqueue + w->eng.with_engine;
		draining = low < depth && (busy == depth || (draining && busy > low));
		if (w->nqueue && !submit_queue(w, limit))
			ending = true;
		if (w->eng.with_engine) {
			if (!reap(w, ending))
				return;
		} else if (ending || (w->exhausted && !w->nqueue)) {
			return;
		} else if (w->nqueue) {
			/* the engine took nothing: the system is short */
			if (!failed_passing(w, w->queue[0], EAGAIN)) {
				give_up(w, w->queue[0]);
				memmove(w->queue, w->queue + 1, --w->nqueue * sizeof(*w->queue));
			}
			wait_until(w, clock_ns() + RETRY_NS);
		} else {
			wait_for_rate(w);
		}
	}
}

/* Depth 1: the same work without a queue. */
static void loop_one(struct worker *w)
{
	bool sync = w->eng.engine->caps & (ENG_SYNC | ENG_VIRTUAL);
	struct io *io = w->free_io[0];

	while (!over(w)) {
		enum serve_result r = w->nqueue ? SERVE_IO : serve_next(w, io, w->now_ns);
		int n;

		if (r == SERVE_END)
			return;
		if (r == SERVE_WAIT) {
			wait_for_rate(w);
			continue;
		}
		if (__builtin_expect(w->prio.set != NULL, 0) && !w->nqueue)
			prio_draw(w, &io, 1);
		w->nfree = w->nqueue = 0;
		w->cnt->depth[0]++;
		w->cnt->submit[1]++;
		if (!io->done)
			io->start_ns = io->issue_ns = clock_ns();
		n = eng_submit(&w->eng, &io, 1);
		if (n == 1 && !sync && !io->done)
			io->issue_ns = clock_ns();
		do {
			if (n > 0)
				n = eng_reap(&w->eng, w->batch, 1, 1, UINT64_MAX);
		} while (n == 0 && w->eng.with_engine);
		if (n < 0) {
			worker_fail(w, -n, "engine %s: %s", w->eng.engine->name, diag_errno(n));
			return;
		}
		if (n)
			account(w, 1);
		else if (failed_passing(w, io, EAGAIN))
			w->queue[w->nqueue++] = io; /* not taken: again */
		else
			give_up(w, io);
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
	arrive_floor(w, end);
	arrive_end(w, earlier(end, w->deadline_ns));
	tracks_finish(w->tracks, w->st, end);
	publish(w);
	named_measured(w);
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
	if (!w->cooling && w->measure_end_ns <= end)
		cool_begin(w);
	if (!w->cooling)
		loop_measured(w, end);
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
