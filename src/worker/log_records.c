/* log_records.c: the worker writes a record of each I/O for its log. */
#include "clock.h"
#include "clone.h"
#include "live_reply.h"
#include "log_records.h"
#include "log_ring.h"
#include "worker.h"

/* The time between two checks for room in the ring. */
#define LOOK_NS 200000u

static void put(struct worker *w, const struct io *io)
{
	struct log_ring *r = w->observers.log;

	r->rec[w->observers.log_head++ & (w->clone.job->logs->entries - 1)] = (struct log_rec){
		.start_ns = io->start_ns,
		.issue_ns = io->issue_ns,
		.done_ns = w->clock.now_ns,
		.offset = io->offset - io->done,
		.bytes = io->total,
		.prio = io->prio ? io->prio : w->clone.slot->ioprio,
		.dir = io->dir,
	};
}

void log_records_one(struct worker *w, const struct io *io)
{
	put(w, io);
	atomic_store_explicit(&w->observers.log->head, w->observers.log_head, memory_order_release);
}

void log_records_batch(struct worker *w, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const struct io *io = w->q.reaped[i];

		if (io->dir < DIR_DATA && io->res == (int64_t)io->len)
			put(w, io);
	}
	atomic_store_explicit(&w->observers.log->head, w->observers.log_head, memory_order_release);
}

static uint64_t used(const struct worker *w)
{
	return w->observers.log_head - atomic_load_explicit(&w->observers.log->tail, memory_order_acquire);
}

static void tell_reader(struct worker *w)
{
	atomic_fetch_add_explicit(w->clone.region->log_wake, 1, memory_order_release);
	futex_wake_all(w->clone.region->log_wake);
}

/* Sleeps until the next check. The stop word ends other sleeps for good, but I/Os in flight are still logged
   after it: the worker then sleeps by the clock. */
static void nap(struct worker *w)
{
	uint64_t until = clock_ns() + LOOK_NS;

	if (clone_interrupted(&w->clone))
		live_reply(w);
	if (clone_stopped(&w->clone))
		clock_sleep_until(until);
	else
		futex_wait_until(&w->clone.slot->stop, 0, until);
}

/* Returns true if the log writer has stopped: further records are lost, and the run reports it. */
static bool is_off(const struct worker *w)
{
	return atomic_load_explicit(w->clone.region->log_off, memory_order_relaxed) != 0;
}

static void wait_room(struct worker *w, uint64_t most)
{
	struct log_ring *r = w->observers.log;
	uint64_t start = clock_ns();

	atomic_store_explicit(&r->waiting, 1, memory_order_relaxed);
	tell_reader(w);
	while (used(w) > most && !is_off(w))
		nap(w);
	w->clock.now_ns = clock_ns();
	atomic_store_explicit(&r->waiting, 0, memory_order_relaxed);
	atomic_fetch_add_explicit(&r->waits, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&r->waited_ns, w->clock.now_ns - start, memory_order_relaxed);
}

void log_records_wait(struct worker *w)
{
	uint32_t entries = w->clone.job->logs->entries;
	uint64_t n = used(w), tail = w->observers.log_head - n;

	if (n <= entries / 2)
		return;
	if (n > entries - w->clone.job->depth) {
		if (is_off(w))
			return;
		wait_room(w, entries / 2);
	} else if (w->observers.log->wake_tail != tail + 1) { /* once for each position of the reader */
		w->observers.log->wake_tail = tail + 1;
		tell_reader(w);
	}
}
