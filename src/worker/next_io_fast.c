/* next_io_fast.c: the next I/O of a plain job. */
#include "io_source.h"
#include "next_io.h"
#include "quota.h"
#include "sync_count.h"
#include "worker.h"

/* At most this many offsets are drawn at once. */
#define ROW_MAX 64

bool next_io_fast_ok(const struct worker *w)
{
	bool own_files = w->source.file_depth && w->clone.job->nfiles > 1;

	return !w->replay && (!w->source.zone_commands || w->source.zone_rows) && !w->source.trim_ranges &&
	       !w->sched.paced && !w->sync.ranges && !w->source.dir_by_file && !w->files.dynamic &&
	       !own_files && !(w->clone.job->rw & RW_TRIMWRITE);
}

bool next_io_fast_uniform(const struct io_source *s)
{
	const struct file_order *order = &s->file_order;

	return s->gens_per_file == 1 && (order->files == 1 || order->kind == FILE_ORDER_SEQUENTIAL) &&
	       offset_has_bulk(io_source_gen(s, 0, 0), s->mix.dirs);
}

bool next_io_zone_rows(const struct worker *w)
{
	const struct io_source *s = &w->source;
	const struct plan_job *pj = w->clone.job;
	bool plain = !w->replay && !w->verify && !w->sched.paced && !w->sync.ranges && !w->files.dynamic &&
		     !s->dir_by_file && !w->q.eng.inner;

	return s->zones && plain && pj->depth == 1 && pj->nfiles == 1 && (pj->rw & RW_DIRS) == RW_WRITE &&
	       zbd_has_rows(io_source_gen(s, 0, 0));
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns how many I/Os are left of `max`, which is 0 for no limit. */
static uint64_t left_of(uint64_t max, uint64_t done)
{
	if (!max)
		return UINT64_MAX;
	return done < max ? max - done : 0;
}

uint64_t next_io_fast_left(const struct quota *q, const struct sync_count *sync, const struct clone *c)
{
	const struct fsync_cfg *cfg = &c->opts->sync;
	/* Another I/O may follow if at least this many bytes are left of the job. */
	uint64_t needs = c->job->repeat ? c->job->bs_min : 1, n;

	if (q->exhausted || q->issued_bytes > q->limit_bytes || q->limit_bytes - q->issued_bytes < needs)
		return 0;
	n = (q->limit_bytes - q->issued_bytes - needs) / c->job->bs_max + 1;
	n = least(n, left_of(least(q->limit_ios, q->pause_ios), q->issued_ios));
	n = least(n, left_of(cfg->fsync, sync->since_fsync));
	return least(n, left_of(cfg->fdatasync, sync->since_fdatasync));
}

static inline void fill_in(struct io *io, struct file *file, enum io_dir dir, uint32_t target)
{
	io->file = file;
	io->op = io->dir = (uint8_t)dir;
	io->total = io->len;
	io->done = 0;
	io->target = target;
	io->start_ns = 0;
	io->prefilled = false;
}

/* Takes one I/O of the current file. In a row the file stays the same. Returns false if next_io_any must be
   called. */
static inline __attribute__((always_inline)) bool take_one(struct worker *w, struct io *io, bool row)
{
	struct io_source *s = &w->source;
	uint32_t i = s->file_order.next;
	struct offset_gen *g = io_source_gen(s, i, row ? 0 : io->index & s->slot_mask);
	enum io_dir dir;

	if (__builtin_expect(w->files.state[i] != FILE_OPEN, 0))
		return false;
	dir = mix_next(&s->mix);
	if (!offset_next(g, dir, &io->offset, &io->len)) {
		s->pending_dir = dir;
		s->fast_left = 0;
		return false;
	}
	fill_in(io, &w->files.file[i], dir, i);
	if (!row)
		file_order_advance(&s->file_order, i);
	s->fast_left--;
	quota_add(&w->quota, 1, io->len);
	if (dir == DIR_WRITE) {
		content_before_write(&w->content, io->buf, io->len, io->offset);
		sync_count_writes(&w->sync, 1, io->file);
	}
	return true;
}

/* Ends the row of a zone. failed: the last write of the row is incomplete. */
static void end_zone_row(struct io_source *s, bool failed)
{
	struct offset_gen *g = io_source_gen(s, 0, 0);
	struct io_row *r = &s->row;

	if (r->n)
		zbd_row_end(g, r->at ? r->offset[r->at - 1] + g->fixed[DIR_WRITE] : r->offset[0], failed);
	r->at = r->n = 0;
}

/* Draws a row in a zone, or goes on with it. All writes that were issued have completed. */
static __attribute__((noinline)) void draw_zone_row(struct io_source *s, unsigned max)
{
	struct offset_gen *g = io_source_gen(s, 0, 0);
	struct io_row *r = &s->row;

	if (r->at < r->n && !zbd_row_move(g, r->offset[r->at]))
		end_zone_row(s, false);
	if (r->at < r->n)
		return;
	r->n = zbd_row(g, r->offset, max);
	r->at = 0;
}

unsigned next_io_row(struct worker *w, struct io *io)
{
	struct io_source *s = &w->source;
	struct io_row *r = &s->row;
	uint32_t target = s->file_order.next;
	enum io_dir dir = (enum io_dir)__builtin_ctz(s->mix.dirs);
	struct offset_gen *g = io_source_gen(s, target, 0);
	unsigned left = s->fast_left < IO_ROW_MAX ? (unsigned)s->fast_left : IO_ROW_MAX;

	if (!left || w->files.state[target] != FILE_OPEN)
		return 0;
	if (__builtin_expect(s->zone_rows, 0)) {
		draw_zone_row(s, left);
	} else if (r->at == r->n) {
		r->at = 0;
		r->n = offset_next_bulk(g, dir, r->offset, left);
	}
	io->len = g->fixed[dir];
	fill_in(io, &w->files.file[target], dir, target);
	return r->n - r->at < left ? r->n - r->at : left;
}

void next_io_row_issued(struct worker *w, const struct io *io, unsigned n)
{
	w->source.row.at += n;
	w->source.fast_left -= n;
	quota_add(&w->quota, n, (uint64_t)n * io->total);
	if (io->dir == DIR_WRITE)
		sync_count_writes(&w->sync, n, io->file);
}

/* Takes an I/O that was drawn for a row. Returns false if there is none. */
static __attribute__((noinline)) bool take_from_row(struct worker *w, struct io *io)
{
	if (!next_io_row(w, io))
		return false;
	io->offset = w->source.row.offset[w->source.row.at];
	if (io->dir == DIR_WRITE)
		content_before_write(&w->content, io->buf, io->len, io->offset);
	next_io_row_issued(w, io, 1);
	return true;
}

enum next_io_result next_io(struct worker *w, struct io *io, uint64_t now)
{
	if (__builtin_expect(w->source.row.at < w->source.row.n, 0) && take_from_row(w, io))
		return NEXT_IO;
	if (w->source.fast_left && (w->source.uniform ? take_one(w, io, true) : take_one(w, io, false)))
		return NEXT_IO;
	return next_io_any(w, io, now);
}

/* Takes I/Os one by one: the job has several files or several block sizes. */
static unsigned take_each(struct worker *w, unsigned n)
{
	struct io_queue *q = &w->q;
	struct io **from = q->idle + q->nidle, **to = q->ready + q->nready;
	unsigned i = 0;

	while (i < n && take_one(w, from[-1], false)) {
		*to++ = *--from;
		i++;
	}
	return i;
}

/* A row of I/Os of one file and one size. */
struct row {
	struct file *file;
	uint32_t len, target;
	uint64_t offset[ROW_MAX];
	struct io *writes[ROW_MAX];
};

/* Fills in one I/O of a row. The fields that all I/Os of a row have in common are written only once: they
   stay until the I/O completes short or leaves the row. */
static inline void place_in_row(const struct row *r, struct io *io, uint64_t offset, enum io_dir dir)
{
	io->offset = offset;
	io->start_ns = 0;
	if (__builtin_expect(io->prefilled && io->target == r->target, 1))
		return;
	io->len = r->len;
	fill_in(io, r->file, dir, r->target);
	io->prefilled = true;
}

/* Fills in n I/Os of a row, all in one direction. */
static void fill_same(const struct row *r, struct io **from, struct io **to, unsigned n, enum io_dir dir)
{
#pragma GCC unroll 4
	for (unsigned i = 0; i < n; i++) {
		struct io *io = *--from;

		*to++ = io;
		place_in_row(r, io, r->offset[i], dir);
	}
}

/* Fills in n I/Os of a row, in directions that the mixer draws. Returns how many are writes. */
static unsigned fill_mixed(struct row *r, struct io **from, struct io **to, unsigned n, struct mixer *mixer)
{
	struct mixer m = *mixer;
	unsigned writes = 0;

	for (unsigned i = 0; i < n; i++) {
		struct io *io = *--from;

		*to++ = io;
		place_in_row(r, io, r->offset[i], DIR_READ);
		io->op = io->dir = (uint8_t)mix_next(&m);
		r->writes[writes] = io;
		writes += io->dir == DIR_WRITE;
	}
	*mixer = m;
	return writes;
}

static void set_contents(struct content *c, struct io **ios, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		content_before_write(c, ios[i]->buf, ios[i]->len, ios[i]->offset);
}

/* Takes a row of at most n I/Os of the current file. */
static unsigned take_row(struct worker *w, unsigned n)
{
	struct io_source *s = &w->source;
	struct row r;
	struct offset_gen *g = io_source_gen(s, s->file_order.next, 0);
	unsigned dirs = s->mix.dirs, writes = 0;
	enum io_dir dir = (enum io_dir)__builtin_ctz(dirs);
	struct io **from = w->q.idle + w->q.nidle, **to = w->q.ready + w->q.nready;

	r.target = s->file_order.next;
	if (w->files.state[r.target] != FILE_OPEN)
		return 0;
	n = offset_next_bulk(g, dir, r.offset, n < ROW_MAX ? n : ROW_MAX);
	r.file = &w->files.file[r.target];
	r.len = g->fixed[dir];
	if (dirs & (dirs - 1)) {
		writes = fill_mixed(&r, from, to, n, &s->mix);
		set_contents(&w->content, r.writes, writes);
	} else {
		fill_same(&r, from, to, n, dir);
		writes = dir == DIR_WRITE ? n : 0;
		set_contents(&w->content, to, writes);
	}
	s->fast_left -= n;
	quota_add(&w->quota, n, (uint64_t)n * r.len);
	if (writes)
		sync_count_writes(&w->sync, writes, r.file);
	return n;
}

unsigned next_io_fast_batch(struct worker *w, unsigned n)
{
	struct io_source *s = &w->source;
	unsigned taken;

	n = n < w->q.nidle ? n : w->q.nidle;
	n = n < s->fast_left ? n : (unsigned)s->fast_left;
	taken = s->uniform ? take_row(w, n) : take_each(w, n);
	w->q.nidle -= taken;
	w->q.nready += taken;
	return taken;
}

void next_io_zone_done(struct worker *w, struct io *io)
{
	struct io_source *s = &w->source;

	if (s->zone_commands && !s->zone_single && s->row.at)
		end_zone_row(s, true);
	else if (!s->zone_single)
		return;
	s->zone_single = false;
	zones_io_done(w, io);
}

enum next_io_result next_io_zoned(struct worker *w, struct io *io, uint64_t now)
{
	enum next_io_result r;

	if (take_from_row(w, io))
		return NEXT_IO;
	end_zone_row(&w->source, false);
	r = next_io_any(w, io, now);
	w->source.zone_single = r == NEXT_IO && w->source.zone_commands;
	return r;
}

void next_io_zone_leave(struct worker *w, struct io *io)
{
	if (!w->q.nidle && w->source.zone_commands)
		return; /* its write is incomplete: the zone stays its own, and others ask the device */
	if (w->source.zone_single || io->res != (int64_t)io->len)
		next_io_zone_done(w, io);
	end_zone_row(&w->source, false);
}
