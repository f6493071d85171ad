/* account.c: counts, continues or fails completed I/Os. Latencies go into the rings of wstat.h. */
#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include "account.h"
#include "clock.h"
#include "clone.h"
#include "phase.h"
#include "next_io.h"
#include "nvme.h"
#include "scsi.h"
#include "verify.h"
#include "window.h"
#include "worker.h"

/* Publishes the live totals of one direction. */
static inline void publish(const struct worker *w, unsigned dir, uint64_t ios, uint64_t bytes)
{
	struct slot *s = w->clone.slot;

	if (__builtin_expect(w->clock.in_cooldown, 0))
		return;
	atomic_store_explicit(&s->live_ios[dir], ios, memory_order_relaxed);
	atomic_store_explicit(&s->live_bytes[dir], bytes, memory_order_relaxed);
	atomic_store_explicit(&s->issued_bytes, w->quota.issued_bytes, memory_order_relaxed);
}

void account_publish(struct worker *w)
{
	for (unsigned d = 0; d < DIR_COUNT; d++)
		publish(w, d, w->stats.st->total[d].ios, w->stats.st->total[d].bytes);
}

/* Counts n more I/Os, whose latencies are in the ring from wstat_ring_at() on. Folds a full ring. */
static inline void count_ios(struct worker *w, unsigned dir, unsigned n, uint64_t bytes)
{
	struct wstat_total *total = &w->stats.st->total[dir];

	wstat_total_add(total, n, bytes);
	publish(w, dir, total->ios, total->bytes);
	if (total->ios % WSTAT_RING == 0)
		wstat_fold_dir(w->stats.st, &w->clone.job->layout, dir);
}

/* Counts one I/O that has transferred all its bytes. */
static void account_io(struct worker *w, const struct io *io)
{
	unsigned at = wstat_ring_at(w->stats.st, io->dir);
	struct wstat_ring *r = &w->stats.st->ring[io->dir];

	r->pair[at].lat = clock_since(w->clock.now_ns, io->start_ns);
	r->pair[at].clat = clock_since(w->clock.now_ns, io->issue_ns);
	if (w->sched.paced) {
		r->resp[at] = clock_since(w->clock.now_ns, io->due_ns);
		if (w->replay)
			replay_count(w, io);
	}
	count_ios(w, io->dir, 1, io->total);
}

/* fill_device: the file system is full, so the job issues no more. The bytes that fitted count. */
static void device_full(struct worker *w, struct io *io)
{
	next_io_stop(&w->quota, &w->source);
	clone_note(&w->clone, "{fill_device=1}: the file system of %s is full", io->file->path);
	if (!io->done || io->dir == DIR_SYNC)
		return;
	io->total = io->done;
	io->prefilled = false;
	account_io(w, io);
	file_stats_account_one(w, io);
	if (w->observers.log && !w->clock.in_ramp && !w->clock.in_cooldown)
		log_records_one(&w->observers, &w->clone, io, w->clock.now_ns);
	if (w->observers.steps && !w->clock.in_ramp && !w->clock.in_cooldown)
		step_account_one(w, io);
}

static const char *failure_words(const struct io *io, char *text, size_t size)
{
	if (io->reason)
		return io->reason;
	if (io->nvme_status)
		return nvme_status_text(io->nvme_status, text, size);
	if (io->scsi.status || io->scsi.host)
		return scsi_status_text(&io->scsi, text, size);
	return diag_errno((int)io->res);
}

/* Handles an I/O that failed or transferred only a part of its bytes. Returns true if the loop must issue it
   again. */
static bool handle_incomplete(struct worker *w, struct io *io)
{
	char text[160];

	if (io->res == -EINTR || (io->res == -EAGAIN && !(io->rwf & RWF_NOWAIT)))
		return io_errors_retry(w, io, (int)-io->res);
	if (io->res == -ENOSPC && w->clone.opts->files.fill && io->op != IO_READ) {
		device_full(w, io);
		return false;
	}
	if (io->res < 0) {
		io_errors_fail(w, io, (int)-io->res, failure_words(io, text, sizeof(text)));
		/* the next error of this slot may come from the kernel */
		io->reason = NULL;
		io->nvme_status = 0;
		io->scsi = (struct scsi_status){ 0 };
		return false;
	}
	if (io->res == 0) {
		io_errors_fail(w, io, EIO,
			       io->op == IO_READ ? "end of file (it has become shorter)"
						 : "nothing was written");
		return false;
	}
	io->prefilled = false;
	if (!io->done) {
		w->stats.st->dir[io->dir].short_ios++;
		file_stats_account_short(w, io);
	}
	io->done += (uint32_t)io->res;
	io->offset += (uint64_t)io->res;
	io->buf = (unsigned char *)io->buf + io->res;
	io->len -= (uint32_t)io->res;
	return true;
}

/* Sets buffer and offset back to their first values, after short transfers moved them. */
static void rewind_io(const struct iobuf *bufs, struct io *io)
{
	io->buf = bufs->base + io->index * bufs->stride;
	io->offset -= io->done;
}

void account_give_up(struct worker *w, struct io *io)
{
	if (io->done)
		rewind_io(&w->q.bufs, io);
	next_io_done(w, io);
	w->q.idle[w->q.nidle++] = io;
}

/* Counts the first n I/Os of the batch by file. */
static void count_by_file(struct worker *w, unsigned n)
{
	struct observers *o = &w->observers;

	if (o->per_file)
		per_file_account(o, &w->clone.job->per_file, &w->q, &w->clock, n);
	else
		o->counted_waits = w->q.eng.waits;
	if (w->stats.files)
		file_stats_account(w, n);
}

/* Runs the observers for the first n I/Os of the batch, which count: priorities, counts by file, and the
   log. */
static void observe(struct worker *w, unsigned n)
{
	const struct plan_job *pj = w->clone.job;
	struct observers *o = &w->observers;
	bool measured = !w->clock.in_ramp && !w->clock.in_cooldown;

	if (o->prio.set)
		io_prio_account(w->stats.st, &pj->layout, w->q.reaped, n, w->clock.now_ns);
	if (o->by_file && measured)
		count_by_file(w, n);
	else
		o->counted_waits = w->q.eng.waits;
	if (o->placed && measured)
		io_placement_account(o, w->q.reaped, n);
	if (o->steps && measured)
		step_account(w, n);
	if (o->log && measured)
		log_records_batch(o, &w->clone, w->q.reaped, n, w->clock.now_ns);
}

/* Accounts for a batch of which only some I/Os count. */
static void account_edge(struct worker *w, unsigned n)
{
	unsigned counting = window_sort(&w->window, w->q.reaped, n);

	observe(w, counting);
	account_batch(w, w->q.reaped, counting);
	window_check_edge(w);
	window_discard(w, w->q.reaped + counting, n - counting);
}

/* Does the extra work that only some jobs need, for the n I/Os of the batch. Returns how many the caller must
   still count. */
static __attribute__((noinline)) unsigned account_extras(struct worker *w, unsigned n)
{
	if (w->observers.max_latency)
		io_errors_check_latency(&w->clone, w->q.reaped, n, w->clock.now_ns);
	if (w->search)
		latency_search_account(w, n);
	if (w->window.cut && clone_stopped(&w->clone))
		window_stop(w);
	if (w->window.edge) {
		account_edge(w, n);
		return 0;
	}
	observe(w, n);
	return n;
}

/* Puts an I/O back that has to be issued again. A trim goes before the writes that wait for it: they look for
   it in the engine and among the I/Os before them (overlap.c). */
static void put_back(struct io_queue *q, struct io *io)
{
	if (io->op == IO_TRIM) {
		memmove(q->ready + 1, q->ready, q->nready * sizeof(*q->ready));
		q->ready[0] = io;
	} else {
		q->ready[q->nready] = io;
	}
	q->nready++;
}

/* Accounts for one I/O with any result. */
static void account_any(struct worker *w, struct io *io)
{
	if (io->res == (int64_t)io->len || (io->res == 0 && io->dir == DIR_SYNC)) {
		account_io(w, io);
	} else if (handle_incomplete(w, io)) {
		put_back(&w->q, io);
		return;
	}
	account_give_up(w, io);
}

/* Stores the latencies at position `at` of a ring. For plain jobs: `now` is not earlier than the I/O's
   stamps. */
static inline void add_to_ring(struct wstat_ring *r, size_t at, const struct io *io, uint64_t now)
{
	r->pair[at].lat = now - io->start_ns;
	r->pair[at].clat = now - io->issue_ns;
}

/* Returns true if the first transfer moved all bytes; handle_incomplete() handles the other I/Os. */
static inline bool is_complete(const struct io *io)
{
	return __builtin_expect(io->res == (int64_t)io->total, 1);
}

/* Counts complete I/Os of one direction, up to the first other I/O. Returns how many. */
static unsigned account_same_dir(struct worker *w, struct io *const *ios, unsigned n)
{
	unsigned dir = ios[0]->dir, at = wstat_ring_at(w->stats.st, dir);
	struct wstat_ring *ring = &w->stats.st->ring[dir];
	struct io **idle = &w->q.idle[w->q.nidle];
	uint64_t now = w->clock.now_ns, bytes = 0;
	size_t i, max = n < WSTAT_RING - at ? n : WSTAT_RING - at;

	for (i = 0; i < max; i++) {
		struct io *io = ios[i];

		if (!is_complete(io) || io->dir != dir)
			break;
		add_to_ring(ring, at + i, io, now);
		bytes += io->total;
		idle[i] = io;
	}
	w->q.nidle += (unsigned)i;
	if (i)
		count_ios(w, dir, (unsigned)i, bytes);
	return (unsigned)i;
}

/* Does the same for I/Os of mixed directions, without a branch that depends on the direction. */
static unsigned account_mixed_dirs(struct worker *w, struct io *const *ios, unsigned n)
{
	struct io **idle = &w->q.idle[w->q.nidle];
	struct wstat *st = w->stats.st;
	uint64_t now = w->clock.now_ns;
	unsigned i;

	for (i = 0; i < n && is_complete(ios[i]); i++) {
		struct io *io = idle[i] = ios[i];
		struct wstat_total *total = &st->total[io->dir];

		add_to_ring(&st->ring[io->dir], total->ios % WSTAT_RING, io, now);
		wstat_total_add(total, 1, io->total);
		if (__builtin_expect(total->ios % WSTAT_RING == 0, 0))
			wstat_fold_dir(st, &w->clone.job->layout, io->dir);
	}
	w->q.nidle += i;
	if (i)
		account_publish(w);
	return i;
}

/* Counts complete I/Os on the fast path, up to the first other I/O. Returns how many. */
static unsigned account_complete(struct worker *w, struct io *const *ios, unsigned n)
{
	unsigned dirs = w->clone.job->rw & RW_DIRS;

	if (!n || !w->stats.simple)
		return 0;
	return dirs & (dirs - 1) ? account_mixed_dirs(w, ios, n) : account_same_dir(w, ios, n);
}

void account_batch(struct worker *w, struct io *const *ios, unsigned n)
{
	for (unsigned i = account_complete(w, ios, n); i < n; i += account_complete(w, ios + i, n - i))
		account_any(w, ios[i++]);
}

/* Begins a batch that completed at `now`: handles the event if it is due, and runs account_extras. Returns
   how many I/Os the caller must count. */
static inline unsigned begin_batch(struct worker *w, unsigned n, uint64_t now)
{
	slot_write_begin(w->clone.slot);
	w->clock.now_ns = now > w->clock.submitted_ns ? now : w->clock.submitted_ns;
	if (__builtin_expect(w->clock.now_ns >= w->clock.event_ns, 0))
		phase_event(w);
	w->stats.cnt->complete[wstat_batch_bucket(n)]++;
	if (__builtin_expect(w->observers.active, 0))
		n = account_extras(w, n);
	return n;
}

static __attribute__((noinline)) void after_batch(struct worker *w, unsigned n)
{
	if (w->observers.log)
		log_records_wait(w);
	if (w->verify)
		verify_after_batch(w, n);
}

/* Ends a batch of n I/Os. */
static inline void end_batch(struct worker *w, unsigned n)
{
	slot_write_end(w->clone.slot);
	if (__builtin_expect(w->observers.after_batch, 0))
		after_batch(w, n);
}

void account(struct worker *w, unsigned n)
{
	account_batch(w, w->q.reaped, begin_batch(w, n, clock_ns()));
	end_batch(w, n);
}

void account_one(struct worker *w, struct io *io, uint64_t now)
{
	w->q.reaped[0] = io;
	if (!begin_batch(w, 1, now)) {
		end_batch(w, 1);
		return;
	}
	if (w->stats.simple && is_complete(io)) {
		add_to_ring(&w->stats.st->ring[io->dir], wstat_ring_at(w->stats.st, io->dir), io,
			    w->clock.now_ns);
		count_ios(w, io->dir, 1, io->total);
		w->q.nidle = 1;
	} else {
		account_any(w, io);
	}
	end_batch(w, 1);
}

void account_row(struct worker *w, const struct io *io, unsigned n, uint64_t now)
{
	struct wcount *c = w->stats.cnt;

	slot_write_begin(w->clone.slot);
	w->clock.now_ns = now;
	c->depth[0] += n;
	c->submit[1] += n;
	c->complete[1] += n;
	count_ios(w, io->dir, n, (uint64_t)n * io->total);
	slot_write_end(w->clone.slot);
}
