/* log_records.c: the worker writes a record of each I/O for its log. */
#include "clock.h"
#include "clone.h"
#include "phase.h"
#include "account.h"
#include "region.h"
#include "worker.h"

/* The worker checks for room in the ring this often. */
#define POLL_NS 200000u

static void add_log_record(struct observers *o, const struct clone *c, const struct io *io, uint64_t done_ns)
{
	o->log->rec[o->log_head++ & (c->job->logs->entries - 1)] = (struct log_rec){
		.start_ns = io->start_ns,
		.issue_ns = io->issue_ns,
		.done_ns = done_ns,
		.offset = io->offset - io->done,
		.bytes = io->total,
		.prio = io->prio ? io->prio : c->slot->ioprio,
		.dir = io->dir,
	};
}

static void publish(struct observers *o)
{
	atomic_store_explicit(&o->log->head, o->log_head, memory_order_release);
}

void log_records_one(struct observers *o, const struct clone *c, const struct io *io, uint64_t done_ns)
{
	add_log_record(o, c, io, done_ns);
	publish(o);
}

void log_records_batch(struct observers *o, const struct clone *c, struct io *const *ios, unsigned n,
		       uint64_t done_ns)
{
	for (unsigned i = 0; i < n; i++) {
		if (ios[i]->dir < DIR_DATA && ios[i]->res == (int64_t)ios[i]->len)
			add_log_record(o, c, ios[i], done_ns);
	}
	publish(o);
}

static void wake_reader(const struct region *r)
{
	atomic_fetch_add_explicit(r->log_wake, 1, memory_order_release);
	futex_wake_all(r->log_wake);
}

void log_ring_wake_reader(const struct region *r, struct log_ring *ring, uint64_t tail)
{
	if (ring->wake_tail == tail + 1)
		return;
	ring->wake_tail = tail + 1;
	wake_reader(r);
}

/* Sleeps until the next check. The stop word ends other sleeps for good, but I/Os in flight are still logged
   after it: the worker then sleeps by the clock. */
static void sleep_briefly(struct worker *w)
{
	const struct clone *c = &w->clone;
	uint64_t until = clock_ns() + POLL_NS;

	if (clone_interrupted(c))
		live_reply(w);
	if (clone_stopped(c))
		clock_sleep_until(until);
	else
		futex_wait_until(&c->slot->stop, 0, until);
}

/* Returns true if the log writer has stopped: further records are lost, and the run reports it. */
static bool writer_stopped(const struct clone *c)
{
	return atomic_load_explicit(c->region->log_off, memory_order_relaxed) != 0;
}

uint64_t log_ring_wait(struct worker *w, struct log_ring *r, uint64_t max_used)
{
	const struct clone *c = &w->clone;
	uint64_t start = clock_ns(), now;

	atomic_store_explicit(&r->waiting, 1, memory_order_relaxed);
	wake_reader(c->region);
	while (log_ring_used(r) > max_used && !writer_stopped(c))
		sleep_briefly(w);
	now = clock_ns();
	atomic_store_explicit(&r->waiting, 0, memory_order_relaxed);
	atomic_fetch_add_explicit(&r->waits, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&r->waited_ns, now - start, memory_order_relaxed);
	return now;
}

void log_records_wait(struct worker *w)
{
	const struct clone *c = &w->clone;
	struct log_ring *r = w->observers.log;
	uint32_t entries = c->job->logs->entries;
	uint64_t n = log_ring_used(r);

	if (n <= entries / 2)
		return;
	if (n <= entries - c->job->depth)
		log_ring_wake_reader(c->region, r, w->observers.log_head - n);
	else if (!writer_stopped(c))
		w->clock.now_ns = log_ring_wait(w, r, entries / 2);
}
