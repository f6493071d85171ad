/* next_io.c: the next I/O of a job: direction, pace, file, offset, size, contents. */
#include <stdlib.h>
#include <string.h>
#include "clock.h"
#include "worker.h"

#define GEN_ALIGN 64 /* a cache line */

static void init_gen(struct worker *w, uint32_t i, uint64_t len)
{
	const struct plan_file *pf = &w->pj->files[i];
	struct io_source *s = &w->source;

	for (uint32_t k = 0; k < s->each; k++) {
		struct offset_gen *g = io_source_gen(s, i, k);

		offset_init(g, &worker_opts(w, i)->offset, pf->start, len,
			    rng_mix64(w->pj->seed ^ ((uint64_t)(i + 1) << 32)));
		if (pf->first)
			offset_set_first(g, pf->first);
		if (pf->walk)
			offset_share(g, region_walk(w->region, pf->walk));
	}
}

bool next_io_init(struct worker *w)
{
	struct io_source *s = &w->source;
	uint32_t n = w->pj->nfiles;
	bool slots = false;

	for (uint32_t i = 0; i < n; i++) {
		size_t bytes = offset_bytes(&worker_opts(w, i)->offset);

		slots |= worker_opts(w, i)->offset.per_slot;
		s->gen_bytes = bytes > s->gen_bytes ? bytes : s->gen_bytes;
	}
	s->gen_bytes = (s->gen_bytes + GEN_ALIGN - 1) / GEN_ALIGN * GEN_ALIGN;
	s->each = slots ? w->pj->depth : 1;
	s->slots = slots ? UINT32_MAX : 0;
	s->own_depth = w->pj->members ? 1 : w->o->queue.per_file ? w->pj->depth / n : 0;
	s->gens = aligned_alloc(GEN_ALIGN, (size_t)n * s->each * s->gen_bytes);
	s->state = calloc(n, sizeof(*s->state));
	s->inflight = calloc(n, sizeof(*s->inflight));
	if (!s->gens || !s->state || !s->inflight ||
	    !file_order_init(&s->file_order, &w->o->files.file_order, n, w->pj->seed + 3) ||
	    (w->pj->weights && !file_order_set_weights(&s->file_order, w->pj->weights)))
		return false;
	for (uint32_t i = 0; i < n; i++)
		init_gen(w, i, w->pj->files[i].len);
	w->runs = w->pj->members || (n && offset_has_runs(io_source_gen(s, 0, 0)));
	serve_limit(w, w->pj->pass_bytes);
	return true;
}

void serve_limit(struct worker *w, uint64_t loop_bytes)
{
	const struct time_cfg *t = &w->o->time;
	uint64_t loops = t->loops ? t->loops : 1;

	w->loop_bytes = loop_bytes;
	w->limit_bytes = w->limit_ios = UINT64_MAX;
	if (t->time_based)
		return;
	if (__builtin_mul_overflow(loop_bytes, loops, &w->limit_bytes))
		w->limit_bytes = UINT64_MAX;
	if (!t->number_ios || __builtin_mul_overflow(t->number_ios, loops, &w->limit_ios))
		w->limit_ios = UINT64_MAX;
}

void next_io_fit(struct worker *w, uint32_t i, uint64_t len)
{
	if (len >= w->pj->bs_min) {
		init_gen(w, i, len);
		return;
	}
	io_source_gen(&w->source, i, 0)->len = 0;
	w->source.state[i] = FILE_DONE;
	file_order_done(&w->source.file_order, i);
}

void next_io_fini(struct worker *w)
{
	free(w->source.gens);
	free(w->source.state);
	free(w->source.inflight);
	file_order_fini(&w->source.file_order);
}

static void close_file(struct worker *w, uint32_t i)
{
	if (meta_job(w)) {
		meta_done(w, i);
		file_order_done(&w->source.file_order, i);
	} else {
		setup_close(w, i);
	}
}

/* The file to try instead. */
static uint32_t file_finished(struct worker *w, uint32_t i)
{
	w->source.state[i] = FILE_DONE;
	if (w->dynamic_files && w->source.inflight[i] == 0)
		close_file(w, i);
	return file_order_done(&w->source.file_order, i);
}

static bool goes_on(const struct worker *w)
{
	return !w->o->time.time_based && w->pj->nfiles && !w->source.own_depth &&
	       offset_continues(io_source_gen(&w->source, 0, 0));
}

static void begin_file(struct worker *w, uint32_t i, enum pass_kind kind)
{
	struct io_source *s = &w->source;

	for (uint32_t k = 0; k < s->each; k++) {
		if (kind == PASS_GOES_ON)
			offset_continue(io_source_gen(s, i, k));
		else
			offset_restart(io_source_gen(s, i, k), kind == PASS_FRESH);
	}
	s->state[i] = w->files[i].fd >= 0 || !w->dynamic_files ? FILE_OPEN : FILE_CLOSED;
}

/* Another pass over all files. */
static void restart(struct worker *w, enum pass_kind kind)
{
	struct io_source *s = &w->source;

	file_order_restart(&s->file_order);
	if (kind == PASS_AGAIN && !w->thread_group && !(w->pj->rw & RW_TRIMWRITE)) {
		mix_init(&w->mix, &w->o->mix, w->pj->rw, w->pj->seed + 2);
		s->held_dir = DIR_COUNT;
	}
	for (uint32_t i = 0; i < w->pj->nfiles; i++) {
		if (next_io_empty(w, i)) {
			file_order_done(&s->file_order, i);
			continue;
		}
		begin_file(w, i, kind);
		if (kind == PASS_FRESH && w->files[i].fd >= 0 && worker_opts(w, i)->file.invalidate)
			setup_invalidate(w, i);
	}
}

/* Opens file i if the number of open files allows. 1 open, 0 not now, -1 failed. */
static int file_ready(struct worker *w, uint32_t i)
{
	struct io_source *s = &w->source;

	if (s->state[i] == FILE_OPEN)
		return 1;
	if (meta_job(w)) { /* its one I/O follows, and then it is done with */
		s->state[i] = FILE_DONE;
		return meta_ready(w, i) ? 1 : -1;
	}
	if (s->nopen >= w->pj->openfiles)
		return 0;
	if (!setup_open(w, i))
		return -1;
	s->state[i] = FILE_OPEN;
	return 1;
}

/* iodepth_per_file: of this one file, which has no end. */
static enum next_io_result take_own(struct worker *w, struct io *io, enum io_dir dir)
{
	struct io_source *s = &w->source;
	uint32_t i = io->index / s->own_depth;

	if (w->thread_group)
		return thread_group_take(w, io, dir) ? NEXT_IO : NEXT_END;
	if (!offset_next(io_source_gen(s, i, io->index & s->slots), dir, &io->offset, &io->len))
		return NEXT_END;
	io->file = &w->files[i];
	io->target = i;
	return NEXT_IO;
}

/* The next file that still has an I/O in direction dir. */
static enum next_io_result pick_file(struct worker *w, struct io *io, enum io_dir dir)
{
	struct io_source *s = &w->source;
	uint32_t n = w->pj->nfiles;
	bool busy = false;

	if (__builtin_expect(s->own_depth, 0))
		return take_own(w, io, dir);
	for (uint32_t tried = 0, i = s->file_order.next; tried < n; tried++) {
		int ready;

		if (s->state[i] == FILE_DONE) {
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
		if (!offset_next(io_source_gen(s, i, io->index & s->slots), dir, &io->offset, &io->len)) {
			i = file_finished(w, i);
			continue;
		}
		io->file = &w->files[i];
		io->target = i;
		file_order_advance(&s->file_order, i);
		return NEXT_IO;
	}
	return busy ? NEXT_WAIT : NEXT_END;
}

static bool moved_enough(const struct worker *w)
{
	if (w->issued_ios >= w->limit_ios || w->issued_bytes >= w->limit_bytes)
		return true;
	return w->pj->repeat && w->limit_bytes - w->issued_bytes < w->pj->bs_min;
}

static bool owes_write(const struct worker *w)
{
	return w->pj->rw & RW_TRIMWRITE && w->mix.dirs == RW_WRITE;
}

/* The job has moved what it should; what was trimmed is written before it ends. */
static bool job_complete(const struct worker *w)
{
	return moved_enough(w) && !owes_write(w);
}

/* Not the files but the job's bytes end the last loop where io_size is larger than size. */
static bool loops_over(struct worker *w)
{
	if (w->loops_left && --w->loops_left)
		return false;
	return !w->pj->repeat || w->issued_bytes >= w->loop_bytes ||
	       w->loop_bytes - w->issued_bytes < w->pj->bs_min;
}

/* What follows when the files are exhausted: false if the job is over. As in fio a loop is a pass over the
   files; io_size and number_ios count for all loops together. */
static bool next_pass(struct worker *w)
{
	bool time_based = w->o->time.time_based;

	if (goes_on(w)) {
		restart(w, PASS_GOES_ON);
		return true;
	}
	if (!time_based && loops_over(w))
		return false;
	w->renewing = time_based ? w->o->files.unlink_each_loop : !(w->eng.engine->caps & ENG_NOFILE);
	if (!w->renewing)
		restart(w, time_based ? PASS_FRESH : PASS_AGAIN);
	return true;
}

/* Between two loops files are closed and opened. False while I/Os are under way. */
static bool renew(struct worker *w)
{
	if (w->nqueue || w->eng.with_engine)
		return false;
	setup_renew(w);
	if (w->failed)
		return false;
	restart(w, w->o->time.time_based ? PASS_FRESH : PASS_AGAIN);
	w->renewing = false;
	return true;
}

static void fill_sync(struct worker *w, struct io *io, enum io_op op)
{
	io->op = (uint8_t)op;
	io->dir = DIR_SYNC;
	io->file = w->sync_file;
	io->target = w->sync_file->index;
	io->offset = 0;
	io->len = io->total = io->done = 0;
	io->in_row = false;
	w->source.inflight[io->target] += w->source.counts;
	w->syncs += w->source.counts;
	if (op == IO_FSYNC)
		w->writes_since_fsync = 0;
	else
		w->writes_since_fdatasync = 0;
}

/* fsync=N and fdatasync=N: due once N writes have been issued, if another I/O follows. */
static bool sync_due(struct worker *w, struct io *io)
{
	const struct fsync_cfg *c = &w->o->sync;

	if (c->fsync && w->writes_since_fsync >= c->fsync) {
		fill_sync(w, io, IO_FSYNC);
		return true;
	}
	if (c->fdatasync && w->writes_since_fdatasync >= c->fdatasync) {
		fill_sync(w, io, IO_FDATASYNC);
		return true;
	}
	return false;
}

/* A trimwrite job: the trim's write follows, in the same file. Size and counts are of what is written. */
static void trim_issued(struct worker *w, const struct io *io)
{
	if (!(w->pj->rw & RW_TRIMWRITE))
		return;
	mix_only(&w->mix, DIR_WRITE);
	file_order_repeat(&w->source.file_order, io->target);
	w->issued_bytes -= io->len;
	w->issued_ios--;
}

static void write_issued(struct worker *w, struct io *io)
{
	content_before_write(w->writes, io->buf, io->len, io->offset);
	w->writes_since_fsync++;
	w->writes_since_fdatasync++;
	w->sync_file = io->file;
	if (w->pj->rw & RW_TRIMWRITE)
		mix_only(&w->mix, DIR_TRIM);
}

/* The file that the next I/O will most likely go to. */
static __attribute__((noinline)) void set_turn(struct worker *w, const struct io *io)
{
	w->source.turn = w->source.own_depth ? next_io_own_file(w, io) : w->source.file_order.next;
	if (w->nschedules)
		w->schedule = &w->schedules[w->source.turn];
}

/* Every kind of job, with all that may be due before its next I/O. */
static enum next_io_result next_of_any(struct worker *w, struct io *io, uint64_t now)
{
	enum next_io_result r;
	enum io_dir dir;
	uint64_t due = 0;

	w->pace_due_ns = 0;
	if (__builtin_expect(w->exhausted | w->renewing, 0)) {
		if (w->exhausted)
			return NEXT_END;
		if (!renew(w))
			return w->failed ? NEXT_END : NEXT_WAIT;
	}
	if (job_complete(w))
		goto over;
	if (w->writes_since_fsync && w->sync_file->fd >= 0 && sync_due(w, io))
		return NEXT_IO;
	if (__builtin_expect(w->runs, 0))
		set_turn(w, io);
	if (w->paced) {
		dir = schedule_next(w, now, &due);
		if (dir == DIR_COUNT && w->thread_group)
			dir = thread_group_other(w, io, now, &due);
		if (dir == DIR_COUNT)
			return NEXT_WAIT;
	} else {
		dir = w->source.held_dir < DIR_COUNT ? w->source.held_dir : next_io_dir(w);
		w->source.held_dir = DIR_COUNT;
	}
	/* Twice: when this pass is over the first I/O of the next one must exist. */
	r = pick_file(w, io, dir);
	if (r == NEXT_END && !w->failed && next_pass(w)) {
		if (w->renewing)
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
	io->in_row = false;
	if (w->paced)
		schedule_take(w, io, due, now);
	if (dir == DIR_WRITE)
		write_issued(w, io);
	else if (dir == DIR_TRIM)
		trim_issued(w, io);
	w->source.inflight[io->target] += w->source.counts;
	w->issued_bytes += io->len;
	w->issued_ios++;
	return NEXT_IO;
over:
	next_io_stop(w);
	return NEXT_END;
}

void next_io_start(struct worker *w)
{
	struct io_source *s = &w->source;

	s->counts = w->dynamic_files || w->paced;
	s->plain = next_io_fast_ok(w);
	s->row_ok = s->plain && next_io_fast_row_ok(w);
	s->held_dir = DIR_COUNT;
}

enum next_io_result next_io_any(struct worker *w, struct io *io, uint64_t now)
{
	enum next_io_result r = next_of_any(w, io, now);

	w->source.fast_left = w->source.plain ? next_io_fast_left(w) : 0;
	return r;
}

/* The last one's buffer is warmest. With seq_per_slot those with a position take turns, as far as a rate
   leaves some idle: the one that is idle for longest. */
static unsigned idle_place(const struct worker *w)
{
	return w->paced && w->source.slots ? 0 : w->nfree - 1;
}

unsigned next_io_many(struct worker *w, unsigned room)
{
	unsigned n = 0, took;

	while (n < room && w->nfree) {
		took = w->source.fast_left ? next_io_fast_many(w, room - n) : 0;
		if (!took) {
			unsigned at = idle_place(w);
			struct io *io = w->free_io[at];

			if (next_io_any(w, io, w->now_ns) != NEXT_IO)
				break;
			io->start_ns = 0;
			w->queue[w->nqueue++] = io;
			w->nfree--;
			memmove(&w->free_io[at], &w->free_io[at + 1], (w->nfree - at) * sizeof(io));
			took = 1;
		}
		n += took;
	}
	return n;
}

void next_io_returned(struct worker *w, const struct io *io)
{
	uint32_t i = io->target;

	if (__builtin_expect(io->dir == DIR_SYNC, 0))
		w->syncs--;
	if (--w->source.inflight[i] == 0 && w->dynamic_files && w->source.state[i] == FILE_DONE)
		close_file(w, i);
}
