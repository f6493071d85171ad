/* next_io.c: the next I/O of a job: direction, pace, file, offset, size, contents. */
#include <stdlib.h>
#include <string.h>
#include "clock.h"
#include "clone.h"
#include "io_source.h"
#include "meta.h"
#include "next_io.h"
#include "next_io_fast.h"
#include "schedule.h"
#include "setup.h"
#include "thread_group.h"
#include "worker.h"

/* The next pass over the files has new random offsets (time_based), repeats the same offsets (loops), or
   continues the previous pass. */
enum pass_kind { PASS_FRESH, PASS_AGAIN, PASS_GOES_ON };

static void close_file(struct worker *w, uint32_t i)
{
	if (meta_job(w)) {
		meta_done(w, i);
		file_order_done(&w->source.file_order, i);
	} else {
		setup_close(w, i);
	}
}

/* Marks file i as finished. Returns the file to try instead. */
static uint32_t file_finished(struct worker *w, uint32_t i)
{
	w->files.state[i] = FILE_DONE;
	if (w->files.dynamic && w->files.inflight[i] == 0)
		close_file(w, i);
	return file_order_done(&w->source.file_order, i);
}

static bool goes_on(const struct worker *w)
{
	return !w->clone.opts->time.time_based && w->clone.job->nfiles && !w->source.own_depth &&
	       offset_continues(io_source_gen(&w->source, 0, 0));
}

static void begin_file(struct worker *w, uint32_t i, enum pass_kind kind)
{
	struct io_source *s = &w->source;

	for (uint32_t k = 0; k < s->gens_per_file; k++) {
		if (kind == PASS_GOES_ON)
			offset_continue(io_source_gen(s, i, k));
		else
			offset_restart(io_source_gen(s, i, k), kind == PASS_FRESH);
	}
	w->files.state[i] = w->files.file[i].fd >= 0 || !w->files.dynamic ? FILE_OPEN : FILE_CLOSED;
}

/* Begins another pass over all files. */
static void restart(struct worker *w, enum pass_kind kind)
{
	struct io_source *s = &w->source;

	file_order_restart(&s->file_order);
	if (kind == PASS_AGAIN && !w->source.thread_group && !(w->clone.job->rw & RW_TRIMWRITE)) {
		mix_init(&w->source.mix, &w->clone.opts->mix, w->clone.job->rw, w->clone.job->seed + 2);
		s->held_dir = DIR_COUNT;
	}
	for (uint32_t i = 0; i < w->clone.job->nfiles; i++) {
		if (next_io_empty(w, i)) {
			file_order_done(&s->file_order, i);
			continue;
		}
		begin_file(w, i, kind);
		if (kind == PASS_FRESH && w->files.file[i].fd >= 0 &&
		    clone_file_opts(&w->clone, i)->file.invalidate)
			setup_invalidate(w, i);
	}
}

/* Opens file i if the number of open files allows it. Returns 1: open, 0: not now, -1: failed. */
static int file_ready(struct worker *w, uint32_t i)
{

	if (w->files.state[i] == FILE_OPEN)
		return 1;
	if (meta_job(w)) { /* the file gets exactly one I/O */
		w->files.state[i] = FILE_DONE;
		return meta_ready(w, i) ? 1 : -1;
	}
	if (w->files.nopen >= w->clone.job->openfiles)
		return 0;
	if (!setup_open(w, i))
		return -1;
	w->files.state[i] = FILE_OPEN;
	return 1;
}

/* iodepth_per_file: takes the next I/O of the file that owns this I/O. */
static enum next_io_result take_own(struct worker *w, struct io *io, enum io_dir dir)
{
	struct io_source *s = &w->source;
	uint32_t i = io->index / s->own_depth;

	if (w->source.thread_group)
		return thread_group_take(w, io, dir) ? NEXT_IO : NEXT_END;
	if (!offset_next(io_source_gen(s, i, io->index & s->slot_mask), dir, &io->offset, &io->len))
		return NEXT_END;
	io->file = &w->files.file[i];
	io->target = i;
	return NEXT_IO;
}

/* Takes the next I/O in direction dir, from the next file that still has one. */
static enum next_io_result pick_file(struct worker *w, struct io *io, enum io_dir dir)
{
	struct io_source *s = &w->source;
	uint32_t n = w->clone.job->nfiles;
	bool busy = false;

	if (__builtin_expect(s->own_depth, 0))
		return take_own(w, io, dir);
	for (uint32_t tried = 0, i = s->file_order.next; tried < n; tried++) {
		int ready;

		if (w->files.state[i] == FILE_DONE) {
			i = file_order_after(&s->file_order, i);
			continue;
		}
		ready = file_ready(w, i);
		if (ready < 0)
			return NEXT_END;
		if (ready == 0) {
			busy = true;
			i = file_order_after(&s->file_order, i);
			continue;
		}
		if (!offset_next(io_source_gen(s, i, io->index & s->slot_mask), dir, &io->offset, &io->len)) {
			i = file_finished(w, i);
			continue;
		}
		io->file = &w->files.file[i];
		io->target = i;
		file_order_advance(&s->file_order, i);
		return NEXT_IO;
	}
	return busy ? NEXT_WAIT : NEXT_END;
}

static bool moved_enough(const struct worker *w)
{
	if (w->quota.issued_ios >= w->quota.limit_ios || w->quota.issued_bytes >= w->quota.limit_bytes)
		return true;
	return w->clone.job->repeat && w->quota.limit_bytes - w->quota.issued_bytes < w->clone.job->bs_min;
}

static bool owes_write(const struct worker *w)
{
	return w->clone.job->rw & RW_TRIMWRITE && w->source.mix.dirs == RW_WRITE;
}

/* Returns true if the job has moved all its data. A trimwrite job first writes the block that it trimmed. */
static bool job_complete(const struct worker *w)
{
	return moved_enough(w) && !owes_write(w);
}

/* Returns true if the last loop is over. If io_size is larger than size, the job's bytes end it, not its
   files. */
static bool loops_over(struct worker *w)
{
	if (w->quota.loops_left && --w->quota.loops_left)
		return false;
	return !w->clone.job->repeat || w->quota.issued_bytes >= w->quota.loop_bytes ||
	       w->quota.loop_bytes - w->quota.issued_bytes < w->clone.job->bs_min;
}

/* The files have no more I/Os: begins the next pass, or returns false if the job is over. As in fio a loop is
   one pass over the files, and number_ios counts for all loops together. */
static bool next_pass(struct worker *w)
{
	bool time_based = w->clone.opts->time.time_based;

	if (goes_on(w)) {
		restart(w, PASS_GOES_ON);
		return true;
	}
	if (!time_based && loops_over(w))
		return false;
	w->quota.renewing =
		time_based ? w->clone.opts->files.unlink_each_loop : !(w->q.eng.engine->caps & ENG_NOFILE);
	if (!w->quota.renewing)
		restart(w, time_based ? PASS_FRESH : PASS_AGAIN);
	return true;
}

/* Closes and reopens the files between two loops. Returns false while I/Os are in flight, or on failure. */
static bool renew(struct worker *w)
{
	if (w->q.nready || w->q.eng.inflight)
		return false;
	setup_renew(w);
	if (w->clone.failed)
		return false;
	restart(w, w->clone.opts->time.time_based ? PASS_FRESH : PASS_AGAIN);
	w->quota.renewing = false;
	return true;
}

static void fill_sync(struct worker *w, struct io *io, enum io_op op)
{
	io->op = (uint8_t)op;
	io->dir = DIR_SYNC;
	io->file = w->sync.file;
	io->target = w->sync.file->index;
	io->offset = 0;
	io->len = io->total = io->done = 0;
	io->prefilled = false;
	w->files.inflight[io->target] += w->files.count_inflight;
	w->q.syncs += w->files.count_inflight;
	if (op == IO_FSYNC)
		w->sync.since_fsync = 0;
	else
		w->sync.since_fdatasync = 0;
}

/* fsync=N and fdatasync=N: fills in a sync if N writes have been issued since the last one. */
static bool sync_due(struct worker *w, struct io *io)
{
	const struct fsync_cfg *c = &w->clone.opts->sync;

	if (c->fsync && w->sync.since_fsync >= c->fsync) {
		fill_sync(w, io, IO_FSYNC);
		return true;
	}
	if (c->fdatasync && w->sync.since_fdatasync >= c->fdatasync) {
		fill_sync(w, io, IO_FDATASYNC);
		return true;
	}
	return false;
}

/* A trimwrite job writes the trimmed block next, in the same file. Only the writes count towards the job's
   size. */
static void trim_issued(struct worker *w, const struct io *io)
{
	if (!(w->clone.job->rw & RW_TRIMWRITE))
		return;
	mix_only(&w->source.mix, DIR_WRITE);
	file_order_repeat(&w->source.file_order, io->target);
	w->quota.issued_bytes -= io->len;
	w->quota.issued_ios--;
}

static void write_issued(struct worker *w, struct io *io)
{
	content_before_write(w->source.content, io->buf, io->len, io->offset);
	w->sync.since_fsync++;
	w->sync.since_fdatasync++;
	w->sync.file = io->file;
	if (w->clone.job->rw & RW_TRIMWRITE)
		mix_only(&w->source.mix, DIR_TRIM);
}

/* Sets the file that most likely gets the next I/O, and its schedule. */
static __attribute__((noinline)) void set_turn(struct worker *w, const struct io *io)
{
	w->source.turn = w->source.own_depth ? next_io_own_file(w, io) : w->source.file_order.next;
	if (w->sched.nfiles)
		w->sched.current = &w->sched.per_file[w->source.turn];
}

/* Makes the next I/O of every kind of job. A renewal of the files, a sync, or a wait may be due before it. */
static enum next_io_result next_of_any(struct worker *w, struct io *io, uint64_t now)
{
	enum next_io_result r;
	enum io_dir dir;
	uint64_t due = 0;

	w->sched.due_ns = 0;
	if (__builtin_expect(w->quota.exhausted | w->quota.renewing, 0)) {
		if (w->quota.exhausted)
			return NEXT_END;
		if (!renew(w))
			return w->clone.failed ? NEXT_END : NEXT_WAIT;
	}
	if (job_complete(w))
		goto over;
	if (w->sync.since_fsync && w->sync.file->fd >= 0 && sync_due(w, io))
		return NEXT_IO;
	if (__builtin_expect(w->source.runs, 0))
		set_turn(w, io);
	if (w->sched.paced) {
		dir = schedule_next(w, now, &due);
		if (dir == DIR_COUNT && w->source.thread_group)
			dir = thread_group_other(w, io, now, &due);
		if (dir == DIR_COUNT)
			return NEXT_WAIT;
	} else {
		dir = w->source.held_dir < DIR_COUNT ? w->source.held_dir : next_io_dir(w);
		w->source.held_dir = DIR_COUNT;
	}
	/* If this pass over the files has ended, the I/O is the first one of the next pass. */
	r = pick_file(w, io, dir);
	if (r == NEXT_END && !w->clone.failed && next_pass(w)) {
		if (w->quota.renewing)
			return next_of_any(w, io, now);
		r = pick_file(w, io, dir);
	}
	if (r == NEXT_END)
		goto over;
	if (r != NEXT_IO)
		return r;
	io->op = (uint8_t)dir;
	io->dir = (uint8_t)dir;
	io->total = io->len;
	io->done = 0;
	io->prefilled = false;
	if (w->sched.paced)
		schedule_take(w, io, due, now);
	if (dir == DIR_WRITE)
		write_issued(w, io);
	else if (dir == DIR_TRIM)
		trim_issued(w, io);
	w->files.inflight[io->target] += w->files.count_inflight;
	w->quota.issued_bytes += io->len;
	w->quota.issued_ios++;
	return NEXT_IO;
over:
	next_io_stop(w);
	return NEXT_END;
}

void next_io_init(struct worker *w)
{
	struct io_source *s = &w->source;

	w->files.count_inflight = w->files.dynamic || w->sched.paced;
	s->fast_ok = next_io_fast_ok(w);
	s->row_ok = s->fast_ok && next_io_fast_row_ok(w);
	s->held_dir = DIR_COUNT;
}

enum next_io_result next_io_any(struct worker *w, struct io *io, uint64_t now)
{
	enum next_io_result r = next_of_any(w, io, now);

	w->source.fast_left = w->source.fast_ok ? next_io_fast_left(w) : 0;
	return r;
}

/* Returns the place of the idle I/O to use next: the last one, whose buffer is most likely in the CPU's
   cache. With seq_per_slot and a rate it is the I/O that is idle longest, so that all positions advance. */
static unsigned idle_place(const struct worker *w)
{
	return w->sched.paced && w->source.slot_mask ? 0 : w->q.nidle - 1;
}

unsigned next_io_batch(struct worker *w, unsigned room)
{
	unsigned n = 0, took;

	while (n < room && w->q.nidle) {
		took = w->source.fast_left ? next_io_fast_batch(w, room - n) : 0;
		if (!took) {
			unsigned at = idle_place(w);
			struct io *io = w->q.idle[at];

			if (next_io_any(w, io, w->clock.now_ns) != NEXT_IO)
				break;
			io->start_ns = 0;
			w->q.ready[w->q.nready++] = io;
			w->q.nidle--;
			memmove(&w->q.idle[at], &w->q.idle[at + 1], (w->q.nidle - at) * sizeof(io));
			took = 1;
		}
		n += took;
	}
	return n;
}

void next_io_count_done(struct worker *w, const struct io *io)
{
	uint32_t i = io->target;

	if (__builtin_expect(io->dir == DIR_SYNC, 0))
		w->q.syncs--;
	if (--w->files.inflight[i] == 0 && w->files.dynamic && w->files.state[i] == FILE_DONE)
		close_file(w, i);
}
