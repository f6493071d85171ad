/* next_io.c: the next I/O of every kind of job. */
#include <errno.h>
#include <string.h>
#include "clock.h"
#include "clone.h"
#include "file_set.h"
#include "io_queue.h"
#include "io_source.h"
#include "next_io.h"
#include "quota.h"
#include "schedule.h"
#include "verify.h"
#include "worker.h"

/* A worker looks again after this time whether a zone is free. */
#define ZONE_WAIT_NS 20000

/* The next pass over the files has new random offsets (time_based), repeats the same offsets (loops), or
   continues the previous pass. */
enum pass_kind { PASS_FRESH, PASS_REPEAT, PASS_CONTINUE };

/* Closes a file that is finished, once its last I/O has completed. */
static void close_file(struct file_set *files, struct clone *c, struct file_order *order, uint32_t i)
{
	if (meta_job(c)) {
		meta_record(c, &files->file[i]);
		file_order_done(order, i);
	} else {
		file_set_close(files, c, i);
	}
}

/* Marks file i as finished. Returns the file to try instead. */
static uint32_t finish_file(struct file_set *files, struct clone *c, struct file_order *order, uint32_t i)
{
	file_set_state(files, i, FILE_DONE);
	if (files->dynamic && files->inflight[i] == 0)
		close_file(files, c, order, i);
	return file_order_done(order, i);
}

/* Returns true if the next pass continues this one: the offsets of the job go on from pass to pass. */
static bool passes_continue(const struct io_source *s, const struct clone *c)
{
	return !c->opts->time.time_based && c->job->nfiles && !s->file_depth &&
	       offset_continues(io_source_gen(s, 0, 0), c->job->repeat);
}

static void begin_file(struct io_source *s, struct file_set *files, uint32_t i, enum pass_kind kind)
{
	if (files->dynamic && files->state[i] == FILE_UNUSED)
		return;
	for (uint32_t k = 0; k < s->gens_per_file; k++) {
		if (kind == PASS_CONTINUE)
			offset_continue(io_source_gen(s, i, k));
		else
			offset_restart(io_source_gen(s, i, k), kind == PASS_FRESH);
	}
	file_set_state(files, i, files->file[i].fd >= 0 || !files->dynamic ? FILE_OPEN : FILE_CLOSED);
}

/* Begins another pass over all files. */
static void begin_pass(struct io_source *s, struct file_set *files, const struct clone *c,
		       enum pass_kind kind)
{
	file_order_restart(&s->file_order);
	if (kind == PASS_REPEAT && !s->thread_group && !(c->job->rw & RW_TRIMWRITE)) {
		mix_init(&s->mix, &c->opts->mix, c->job->rw, c->job->seed + 2);
		s->pending_dir = DIR_COUNT;
	}
	for (uint32_t i = 0; i < c->job->nfiles; i++) {
		if (file_set_empty(files, i)) {
			file_order_done(&s->file_order, i);
			continue;
		}
		begin_file(s, files, i, kind);
		if (kind == PASS_FRESH && files->file[i].fd >= 0 && clone_file_opts(c, i)->file.invalidate)
			file_set_invalidate(files, c, i);
	}
}

/* Returns the file that gets the next I/O, where i is closed or finished: the first file from i on that is
   not done. If it is closed and as many files are open as may be, an idle one is closed for it, or in orders
   that do not draw, the next open file is returned. NUMSET_NONE: no file can get an I/O now. */
static uint32_t choose_file(const struct io_source *s, struct file_set *files, struct clone *c, uint32_t i)
{
	bool room = meta_job(c) || files->nopen < c->job->openfiles;

	if (!room && !file_order_drawn(s->file_order.kind))
		return numset_next(&files->open, i);
	i = numset_next(&files->active, i);
	if (i == NUMSET_NONE || room || files->state[i] == FILE_OPEN || file_set_make_room(files, c))
		return i;
	return NUMSET_NONE;
}

/* Opens a file. Returns false after clone_fail. */
static bool open_file(struct io_source *s, struct file_set *files, struct clone *c, uint32_t i)
{
	if (files->state[i] == FILE_OPEN)
		return true;
	if (files->state[i] == FILE_UNUSED && !io_source_begin_file(s, c, i)) {
		clone_fail(c, ENOMEM, "out of memory");
		return false;
	}
	if (meta_job(c)) { /* the file gets exactly one I/O */
		file_set_state(files, i, FILE_DONE);
		return meta_prepare(c, &files->file[i]);
	}
	if (!file_set_open(files, c, i))
		return false;
	file_set_state(files, i, FILE_OPEN);
	return true;
}

/* Chooses and opens the file that gets the next I/O, where *i is closed or finished. */
static __attribute__((noinline)) enum next_io_result next_file(struct io_source *s, struct file_set *files,
							       struct clone *c, uint32_t *i)
{
	uint32_t next = choose_file(s, files, c, *i);

	if (next == NUMSET_NONE) /* files that are not done wait until others have been closed */
		return numset_next(&files->active, 0) == NUMSET_NONE ? NEXT_END : NEXT_WAIT;
	*i = next;
	return open_file(s, files, c, next) ? NEXT_IO : NEXT_END;
}

/* iodepth_per_file and thread_group: takes the next I/O of the file that owns this I/O. */
static enum next_io_result take_from_own_file(struct io_source *s, struct file *files, struct io *io,
					      enum io_dir dir)
{
	uint32_t i = io->index / s->file_depth;

	if (s->thread_group) {
		if (!thread_group_take(s, io, dir))
			return NEXT_END;
		i = s->current_file;
	} else if (!offset_next(io_source_gen(s, i, io->index & s->slot_mask), dir, &io->offset, &io->len)) {
		return NEXT_END;
	}
	io->file = &files[i];
	io->target = i;
	return NEXT_IO;
}

/* Takes the next I/O of file i. Returns false if the file is done. */
static bool take_from(struct io_source *s, uint32_t i, struct io *io, enum io_dir dir)
{
	struct offset_gen *g = io_source_gen(s, i, io->index & s->slot_mask);

	if (offset_next(g, dir, &io->offset, &io->len))
		return true;
	if (!s->files_begin_anew)
		return false;
	offset_restart(g, true);
	return offset_next(g, dir, &io->offset, &io->len);
}

/* zonemode=zbd: the generator of file i has no I/O now. Returns what that means; NEXT_IO: the file is done.
 */
static enum next_io_result zone_stop(struct io_source *s, struct clone *c, uint32_t i)
{
	enum zbd_stop why = zones_stopped(c, io_source_gen(s, i, 0), i);

	s->zone_wait = why == ZBD_BUSY_OTHER;
	if (why == ZBD_BUSY || why == ZBD_BUSY_OTHER)
		return NEXT_WAIT;
	if (why == ZBD_NO_DATA && c->job->rw & RW_WRITE)
		return NEXT_NO_DATA;
	return c->failed ? NEXT_END : NEXT_IO;
}

/* Takes the next I/O in direction dir, from the next file that still has one. */
static enum next_io_result take_from_next_file(struct io_source *s, struct file_set *files, struct clone *c,
					       struct io *io, enum io_dir dir)
{
	uint32_t i = s->file_order.next;
	enum next_io_result r;

	for (;;) {
		if (files->state[i] != FILE_OPEN) {
			r = next_file(s, files, c, &i);
			if (r != NEXT_IO)
				return r;
		}
		if (take_from(s, i, io, dir))
			break;
		if (s->zones) {
			r = zone_stop(s, c, i);
			if (r != NEXT_IO)
				return r;
		}
		i = finish_file(files, c, &s->file_order, i);
	}
	io->file = &files->file[i];
	io->target = i;
	file_order_advance(&s->file_order, i);
	return NEXT_IO;
}

static enum next_io_result take_from_file(struct worker *w, struct io *io, enum io_dir dir)
{
	if (__builtin_expect(w->source.file_depth, 0))
		return take_from_own_file(&w->source, w->files.file, io, dir);
	return take_from_next_file(&w->source, &w->files, &w->clone, io, dir);
}

/* Returns true if the job has issued all its I/Os. A trimwrite job first writes the block that it trimmed. */
static bool complete(const struct quota *q, const struct plan_job *pj, const struct mixer *mix)
{
	if (pj->rw & RW_TRIMWRITE && mix->dirs == RW_WRITE)
		return false;
	return quota_paused(q) || quota_complete(q, pj);
}

/* Begins the next pass, at once or when the files are open again. */
static void begin_next_pass(struct worker *w)
{
	const struct clone *c = &w->clone;
	bool time_based = c->opts->time.time_based;

	w->quota.renewing = time_based ? c->opts->files.unlink_each_loop : !(clone_caps(c) & ENG_NOFILE);
	if (!w->quota.renewing)
		begin_pass(&w->source, &w->files, c, time_based ? PASS_FRESH : PASS_REPEAT);
}

/* The files have no more I/Os: begins the next pass, or returns false if the job is over, or if it verifies
   this loop before the next one (quota.between_loops). As in fio a loop is one pass over the files, and
   number_ios counts for all loops together. */
static bool next_pass(struct worker *w)
{
	const struct clone *c = &w->clone;
	bool time_based = c->opts->time.time_based;

	if (w->verify)
		verify_next_pass(w->verify, w->quota.issued_bytes);
	if (passes_continue(&w->source, c)) {
		begin_pass(&w->source, &w->files, c, PASS_CONTINUE);
		return true;
	}
	if (!time_based && quota_end_loop(&w->quota, c->job))
		return false;
	w->quota.between_loops = !time_based && w->quota.loops_left && plan_verifies_between(c->job);
	if (w->quota.between_loops)
		return false;
	begin_next_pass(w);
	return true;
}

void next_io_begin_loop(struct worker *w)
{
	w->quota.between_loops = false;
	begin_next_pass(w);
}

/* Closes and reopens the files between two loops. Returns false while I/Os are in flight, or on failure. */
static bool renew_files(struct worker *w)
{
	struct clone *c = &w->clone;

	if (io_queue_busy(&w->q))
		return false;
	file_set_renew(&w->files, c, &w->q.eng);
	if (c->failed)
		return false;
	begin_pass(&w->source, &w->files, c, c->opts->time.time_based ? PASS_FRESH : PASS_REPEAT);
	w->quota.renewing = false;
	return true;
}

static void fill_sync(struct io *io, struct file *f, enum io_op op)
{
	io->op = (uint8_t)op;
	io->dir = DIR_SYNC;
	io->file = f;
	io->target = f->index;
	io->offset = 0;
	io->len = io->total = io->done = 0;
	io->prefilled = false;
}

static void count_sync(struct worker *w, const struct io *io)
{
	w->files.inflight[io->target] += w->files.count_inflight;
	w->q.syncs += w->files.count_inflight;
}

/* fsync=N, fdatasync=N and sync_file_range=FLAGS:N: fills in a sync if N writes have been issued since the
   last one. Of several that are due together only the strongest is done. */
static bool fill_due_sync(struct worker *w, struct io *io)
{
	const struct fsync_cfg *cfg = &w->clone.opts->sync;
	struct sync_count *s = &w->sync;

	bool fsync = cfg->fsync && s->since_fsync >= cfg->fsync;
	bool fdatasync = cfg->fdatasync && s->since_fdatasync >= cfg->fdatasync;
	bool range = s->ranges && s->since_range >= cfg->range.every;

	if (!fsync && !fdatasync && !range)
		return false;
	fill_sync(io, s->file, fsync ? IO_FSYNC : fdatasync ? IO_FDATASYNC : IO_SYNC_FILE_RANGE);
	if (!fsync && !fdatasync)
		sync_count_fill_range(s, io, cfg->range.flags);
	s->since_fsync = fsync ? 0 : s->since_fsync;
	s->since_fdatasync = fdatasync ? 0 : s->since_fdatasync;
	s->since_range = range ? 0 : s->since_range;
	count_sync(w, io);
	return true;
}

void next_io_fill_sync(struct worker *w, struct io *io, struct file *f, unsigned op)
{
	fill_sync(io, f, (enum io_op)op);
	count_sync(w, io);
}

/* A trimwrite job writes the trimmed block next, in the same file. Only the writes count towards the job's
   size. */
static void count_trim(struct io_source *s, struct quota *q, unsigned rw, const struct io *io)
{
	if (!(rw & RW_TRIMWRITE))
		return;
	mix_only(&s->mix, DIR_WRITE);
	file_order_repeat(&s->file_order, io->target);
	q->issued_bytes -= io->len;
	q->issued_ios--;
}

static void count_write(struct io_source *s, struct sync_count *sync, unsigned rw, const struct io *io)
{
	content_before_write(s->content, io->buf, io->len, io->offset);
	sync_count_writes(sync, 1, io->file);
	if (__builtin_expect(sync->ranges != NULL, 0))
		sync_count_note(sync, io);
	if (rw & RW_TRIMWRITE)
		mix_only(&s->mix, DIR_TRIM);
}

/* num_range: adds ranges to a trim, from the same file, while the file and the job have more. */
static __attribute__((noinline)) void add_ranges(struct io_source *s, const struct quota *q, struct io *io)
{
	struct offset_gen *g = io_source_gen(s, io->target, io->index & s->slot_mask);
	struct io_range *r = io->buf;
	uint64_t first = io->offset;
	uint32_t bytes = io->len, n = 1;

	r[0] = (struct io_range){ io->offset, io->len };
	while (n < s->trim_ranges && q->issued_bytes + bytes < q->limit_bytes &&
	       offset_next(g, DIR_TRIM, &io->offset, &io->len)) {
		r[n++] = (struct io_range){ io->offset, io->len };
		bytes += io->len;
	}
	io->nranges = (uint16_t)n;
	io->offset = first;
	io->len = bytes;
}

/* Completes an I/O that has a file, an offset and a length, and counts it as issued. */
static inline void fill_in(struct worker *w, struct io *io, enum io_dir dir)
{
	io->op = (uint8_t)dir;
	io->dir = (uint8_t)dir;
	io->done = 0;
	io->prefilled = false;
	if (dir == DIR_WRITE)
		count_write(&w->source, &w->sync, w->clone.job->rw, io);
	else if (dir == DIR_TRIM && w->source.trim_ranges)
		add_ranges(&w->source, &w->quota, io);
	else if (dir == DIR_TRIM)
		count_trim(&w->source, &w->quota, w->clone.job->rw, io);
	io->total = io->len;
	w->files.inflight[io->target] += w->files.count_inflight;
	quota_add(&w->quota, 1, io->len);
}

void next_io_fill(struct worker *w, struct io *io, enum io_dir dir)
{
	fill_in(w, io, dir);
}

/* Sets the file that most likely gets the next I/O, and its schedule. */
static __attribute__((noinline)) void set_current_file(struct io_source *s, struct scheduler *sched,
						       const struct io *io)
{
	s->current_file = s->file_depth ? io_source_file(s, io) : s->file_order.next;
	if (sched->nfiles)
		sched->current = &sched->per_file[s->current_file];
}

/* Returns the direction of the next I/O, and for paced jobs the time at which it is due. Returns DIR_COUNT if
   no I/O is due. */
static inline enum io_dir next_dir(struct worker *w, const struct io *io, uint64_t now, uint64_t *due)
{
	struct io_source *s = &w->source;
	enum io_dir dir = s->pending_dir;

	if (__builtin_expect(s->dir_by_file, 0))
		set_current_file(s, &w->sched, io);
	if (w->sched.paced) {
		dir = w->sched.next(w, now, due);
		if (dir == DIR_COUNT && s->thread_group)
			dir = thread_group_try_others(w, io, now, due);
		return dir;
	}
	s->pending_dir = DIR_COUNT;
	return dir < DIR_COUNT ? dir : io_source_dir(s);
}

/* Returns whether the last write went to an open file, or to an engine that has none and counts what it gets.
 */
static inline bool can_sync(const struct worker *w)
{
	return w->sync.file->fd >= 0 || clone_caps(&w->clone) & ENG_VIRTUAL;
}

/* Handles the end of the job, and a renewal of the files or a sync that is due before the next I/O. Returns
   false if none of these is due; otherwise *r is the result of next_io_any. */
static inline bool next_other(struct worker *w, struct io *io, enum next_io_result *r)
{
	const struct quota *q = &w->quota;

	*r = NEXT_END;
	if (__builtin_expect(q->exhausted, 0))
		return true;
	if (__builtin_expect(q->renewing, 0) && !renew_files(w)) {
		*r = w->clone.failed ? NEXT_END : NEXT_WAIT;
		return true;
	}
	if (complete(q, w->clone.job, &w->source.mix)) {
		next_io_stop(&w->quota, &w->source);
		return true;
	}
	*r = NEXT_IO;
	return w->sync.on && w->sync.since_fsync && can_sync(w) && fill_due_sync(w, io);
}

/* The zone of the next write has a write of another worker in flight. */
static void wait_for_zone(struct worker *w)
{
	w->source.zone_wait = false;
	w->sched.due_ns = clock_ns() + ZONE_WAIT_NS;
}

/* Fills in the next I/O, but not the counts that the fast path needs. */
static enum next_io_result fill_next(struct worker *w, struct io *io, uint64_t now)
{
	enum next_io_result r;
	enum io_dir dir;
	uint64_t due = 0;

	w->sched.due_ns = 0;
	if (next_other(w, io, &r))
		return r;
	dir = next_dir(w, io, now, &due);
	if (dir == DIR_COUNT)
		return NEXT_WAIT;
	r = take_from_file(w, io, dir);
	if (__builtin_expect(r == NEXT_NO_DATA, 0)) {
		dir = DIR_WRITE;
		r = take_from_file(w, io, dir);
	}
	/* If this pass over the files has ended, the I/O is the first one of the next pass. */
	if (r == NEXT_END && !w->clone.failed && next_pass(w)) {
		if (w->quota.renewing)
			return fill_next(w, io, now);
		r = take_from_file(w, io, dir);
	}
	if (r == NEXT_IO) {
		fill_in(w, io, dir);
		if (w->sched.paced)
			w->sched.take(w, io, due, now);
	} else if (r == NEXT_END) {
		next_io_stop(&w->quota, &w->source);
	} else if (!w->sched.paced) {
		w->source.pending_dir = dir;
	}
	if (__builtin_expect(w->source.zone_wait, 0))
		wait_for_zone(w);
	return r;
}

void next_io_init(struct worker *w)
{
	struct io_source *s = &w->source;

	/* The slot of a sync_file_range is cleared when it is counted. */
	s->zone_rows = next_io_zone_rows(w);
	w->files.count_inflight = w->files.dynamic || w->sched.paced || w->sync.ranges || w->replay ||
				  (s->zone_commands && !s->zone_rows);
	if (w->clone.job->rw & RW_TRIM && w->clone.opts->num_range > 1)
		s->trim_ranges = w->clone.opts->num_range;
	s->fast_ok = next_io_fast_ok(w);
	s->uniform = s->fast_ok && next_io_fast_uniform(s);
	s->pending_dir = DIR_COUNT;
}

enum next_io_result next_io_any(struct worker *w, struct io *io, uint64_t now)
{
	enum next_io_result r;

	if (__builtin_expect(w->verify != NULL, 0) && verify_reading(w->verify))
		return verify_next(w, io);
	if (__builtin_expect(w->replay != NULL, 0))
		return replay_next(w, io, now);
	r = fill_next(w, io, now);

	w->source.fast_left = 0;
	if (w->source.fast_ok)
		w->source.fast_left = next_io_fast_left(&w->quota, &w->sync, &w->clone);
	return r;
}

unsigned next_io_batch(struct worker *w, unsigned room)
{
	struct io_queue *q = &w->q;
	unsigned n = 0, taken;

	while (n < room && q->nidle) {
		taken = w->source.fast_left ? next_io_fast_batch(w, room - n) : 0;
		if (!taken) {
			/* The last idle I/O, whose buffer is most likely in the CPU's cache. With
			   seq_per_slot and a rate it is the one that is idle longest, so that all positions
			   advance. */
			unsigned at = w->sched.paced && w->source.slot_mask ? 0 : w->q.nidle - 1;
			struct io *io = q->idle[at];

			if (next_io_any(w, io, w->clock.now_ns) != NEXT_IO)
				break;
			io->start_ns = 0;
			q->ready[q->nready++] = io;
			q->nidle--;
			memmove(&q->idle[at], &q->idle[at + 1], (q->nidle - at) * sizeof(io));
			taken = 1;
		}
		n += taken;
	}
	return n;
}

void next_io_count_done(struct worker *w, struct io *io)
{
	struct file_set *files = &w->files;
	uint32_t i = io->target;

	if (w->replay)
		replay_done(w, io);
	if (w->source.zone_commands)
		zones_io_done(w, io);
	if (__builtin_expect(io->dir == DIR_SYNC, 0)) {
		w->q.syncs--;
		io->rwf = 0;
	}
	if (--files->inflight[i] || !files->dynamic)
		return;
	if (files->state[i] == FILE_DONE)
		close_file(files, &w->clone, &w->source.file_order, i);
	else
		file_set_idle(files, i);
}

void next_io_drop_ready(struct worker *w)
{
	for (unsigned i = 0; i < w->q.nready; i++) {
		w->q.ready[i]->res = -ECANCELED;
		next_io_done(w, w->q.ready[i]);
	}
	w->q.nready = 0;
}
