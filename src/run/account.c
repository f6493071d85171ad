/* account.c: what came back: counted, continued, or failed. Latencies go into the rings of wstat.h. */
#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include "account.h"
#include "clock.h"

static uint64_t since(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}

static inline void publish(struct worker *w, unsigned dir)
{
	const struct wstat_late *late = &w->st->late[dir];
	struct slot *s = w->slot;

	if (__builtin_expect(w->cooling, 0))
		return;
	atomic_store_explicit(&s->live_ios[dir], late->ios, memory_order_relaxed);
	atomic_store_explicit(&s->live_bytes[dir], late->bytes, memory_order_relaxed);
	atomic_store_explicit(&s->issued_bytes, w->all_issued_bytes, memory_order_relaxed);
}

void account_publish(struct worker *w)
{
	for (unsigned d = 0; d < DIR_COUNT; d++)
		publish(w, d);
}

/* One completed I/O, whole. */
static inline void account_io(struct worker *w, const struct io *io)
{
	unsigned at = wstat_late_at(w->st, io->dir);
	struct wstat_ring *r = &w->st->ring[io->dir];

	r->lat[LAT_SLAT][at] = io->issue_ns - io->start_ns;
	r->lat[LAT_CLAT][at] = since(w->now_ns, io->issue_ns);
	r->lat[LAT_LAT][at] = since(w->now_ns, io->start_ns);
	if (w->paced)
		r->lat[LAT_RESP][at] = since(w->now_ns, io->due_ns);
	wstat_late_add(w->st, &w->pj->layout, io->dir, 1, io->total);
	publish(w, io->dir);
}

/* fill_device: nothing fits any more, and that is the end. What did fit of this I/O counts. */
static void filled_up(struct worker *w, struct io *io)
{
	serve_stop(w);
	worker_note(w, "fill_device=1: the file system of %s is full", io->file->path);
	if (!io->done || io->dir == DIR_SYNC)
		return;
	io->total = io->done;
	account_io(w, io);
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

/* Back to how serve_next leaves an I/O, after short parts moved its buffer and offset along. */
static void rewind_io(struct worker *w, struct io *io)
{
	io->buf = w->bufs.base + io->index * w->bufs.stride;
	io->offset -= io->done;
}

void account_give_up(struct worker *w, struct io *io)
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
	else
		w->waits_seen = w->eng.waits;
	if (w->log && !w->ramping && !w->cooling)
		log_batch(w, n);
}

/* Whatever has become of it. */
static void account_any(struct worker *w, struct io *io)
{
	if (io->res == (int64_t)io->len) {
		account_io(w, io);
	} else if (again(w, io)) {
		w->queue[w->nqueue++] = io;
		return;
	}
	account_give_up(w, io);
}

/* The I/Os that came back whole at the first go, from the first on, all of one direction: how many. now is no
   earlier than their stamps. */
static unsigned account_run(struct worker *w, struct io *const *ios, unsigned n)
{
	struct wstat *st = w->st;
	unsigned dir = ios[0]->dir, at = wstat_late_at(st, dir), i;
	uint64_t *slat = &st->ring[dir].lat[LAT_SLAT][at], *clat = &st->ring[dir].lat[LAT_CLAT][at];
	uint64_t *lat = &st->ring[dir].lat[LAT_LAT][at], now = w->now_ns, bytes = 0;

	n = n < WSTAT_LATE - at ? n : WSTAT_LATE - at;
	for (i = 0; i < n; i++) {
		const struct io *io = ios[i];
		uint64_t issue = io->issue_ns, start = io->start_ns;

		if (io->res != (int64_t)io->total ||
		    io->dir != dir) /* nor is it at the second go, see again */
			break;
		slat[i] = issue - start;
		clat[i] = now - issue;
		lat[i] = now - start;
		bytes += io->total;
	}
	if (!i)
		return 0;
	memcpy(&w->free_io[w->nfree], ios, i * sizeof(*ios));
	w->nfree += i;
	wstat_late_add(st, &w->pj->layout, dir, i, bytes);
	publish(w, dir);
	return i;
}

static void account_batch(struct worker *w, struct io *const *ios, unsigned n)
{
	unsigned took;

	for (unsigned i = 0; i < n; i += took) {
		took = !w->serve.counts ? account_run(w, ios + i, n - i) : 0;
		if (took)
			continue;
		account_any(w, ios[i]);
		took = 1;
	}
}

/* A batch begins: its stamp, what falls due with it, and what not all jobs do. */
static inline void begin(struct worker *w, unsigned n)
{
	uint64_t now;

	slot_begin(w->slot);
	now = clock_ns();
	w->now_ns = now > w->issued_ns ? now : w->issued_ns;
	if (__builtin_expect(w->now_ns >= w->event_ns, 0))
		loop_event(w);
	w->cnt->complete[wstat_batch_bucket(n)]++;
	if (__builtin_expect(w->watched, 0))
		account_more(w, n);
}

static inline void end(struct worker *w)
{
	slot_end(w->slot);
	if (__builtin_expect(w->log != NULL, 0))
		log_room(w);
}

void account(struct worker *w, unsigned n)
{
	begin(w, n);
	account_batch(w, w->batch, n);
	end(w);
}

void account_one(struct worker *w, struct io *io)
{
	w->batch[0] = io;
	begin(w, 1);
	if (!w->serve.counts && io->res == (int64_t)io->total) {
		account_io(w, io);
		w->nfree = 1;
	} else {
		account_any(w, io);
	}
	end(w);
}
