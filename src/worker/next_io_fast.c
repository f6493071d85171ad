/* next_io_fast.c: the fast path of next_io, for plain jobs.

   Between two I/Os of a plain job only counts decide if something else is due (the end of the loop, fsync=N).
   next_io_fast_left therefore computes in advance how many I/Os need no further check; each of them calls
   only the generators. At the end of a file next_io_any takes over, with the direction that was drawn. */
#include "io_source.h"
#include "next_io.h"
#include "next_io_fast.h"
#include "worker.h"

/* The largest number of offsets that are drawn at once. */
#define PLAIN_ROW 64

bool next_io_fast_ok(const struct worker *w)
{
	bool own_files = w->source.own_depth && w->clone.job->nfiles > 1;

	return !w->sched.paced && !w->source.runs && !w->files.dynamic && !own_files &&
	       !(w->clone.job->rw & RW_TRIMWRITE);
}

bool next_io_fast_row_ok(const struct worker *w)
{
	const struct file_order *s = &w->source.file_order;

	return w->source.gens_per_file == 1 && (s->files == 1 || s->kind == FILE_ORDER_SEQUENTIAL) &&
	       offset_has_bulk(io_source_gen(&w->source, 0, 0), w->source.mix.dirs);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns how many I/Os are left until the next of every N; every 0 means no limit. */
static uint64_t left_of(uint64_t every, uint64_t done)
{
	if (!every)
		return UINT64_MAX;
	return done < every ? every - done : 0;
}

uint64_t next_io_fast_left(const struct worker *w)
{
	const struct fsync_cfg *sync = &w->clone.opts->sync;
	/* Another I/O may follow if at least this many bytes are left of the job. */
	uint64_t needs = w->clone.job->repeat ? w->clone.job->bs_min : 1, n;

	if (w->quota.exhausted || w->quota.issued_bytes > w->quota.limit_bytes ||
	    w->quota.limit_bytes - w->quota.issued_bytes < needs)
		return 0;
	n = (w->quota.limit_bytes - w->quota.issued_bytes - needs) / w->clone.job->bs_max + 1;
	n = least(n, left_of(w->quota.limit_ios, w->quota.issued_ios));
	n = least(n, left_of(sync->fsync, w->sync.since_fsync));
	return least(n, left_of(sync->fdatasync, w->sync.since_fdatasync));
}

static inline void issued(struct worker *w, uint64_t ios, uint64_t bytes)
{
	w->source.fast_left -= ios;
	w->quota.issued_ios += ios;
	w->quota.issued_bytes += bytes;
}

static inline void writes_issued(struct worker *w, uint32_t n, struct file *last)
{
	w->sync.since_fsync += n;
	w->sync.since_fdatasync += n;
	w->sync.file = last;
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
	dir = mix_next(&w->source.mix);
	if (!offset_next(g, dir, &io->offset, &io->len)) {
		s->held_dir = dir;
		s->fast_left = 0;
		return false;
	}
	fill_in(io, &w->files.file[i], dir, i);
	if (!row)
		file_order_advance(&s->file_order, i);
	issued(w, 1, io->len);
	if (dir == DIR_WRITE) {
		content_before_write(&w->content, io->buf, io->len, io->offset);
		writes_issued(w, 1, io->file);
	}
	return true;
}

enum next_io_result next_io(struct worker *w, struct io *io, uint64_t now)
{
	if (w->source.fast_left && (w->source.row_ok ? take_one(w, io, true) : take_one(w, io, false)))
		return NEXT_IO;
	return next_io_any(w, io, now);
}

/* Takes I/Os one by one: the job has several files or several block sizes. */
static unsigned take_each(struct worker *w, unsigned n)
{
	struct io **from = w->q.idle + w->q.nidle, **to = w->q.ready + w->q.nready;
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
	uint64_t offset[PLAIN_ROW];
	struct io *writes[PLAIN_ROW];
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

static void make_contents(struct content *c, struct io **ios, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		content_before_write(c, ios[i]->buf, ios[i]->len, ios[i]->offset);
}

static unsigned take_row(struct worker *w, unsigned n)
{
	struct io_source *s = &w->source;
	struct row r;
	struct offset_gen *g = io_source_gen(s, s->file_order.next, 0);
	unsigned dirs = w->source.mix.dirs, writes = 0;
	enum io_dir dir = (enum io_dir)__builtin_ctz(dirs);
	struct io **from = w->q.idle + w->q.nidle, **to = w->q.ready + w->q.nready;

	r.target = s->file_order.next;
	if (w->files.state[r.target] != FILE_OPEN)
		return 0;
	n = offset_next_bulk(g, dir, r.offset, n < PLAIN_ROW ? n : PLAIN_ROW);
	r.file = &w->files.file[r.target];
	r.len = g->fixed[dir];
	if (dirs & (dirs - 1)) {
		writes = fill_mixed(&r, from, to, n, &w->source.mix);
		make_contents(&w->content, r.writes, writes);
	} else {
		fill_same(&r, from, to, n, dir);
		writes = dir == DIR_WRITE ? n : 0;
		make_contents(&w->content, to, writes);
	}
	issued(w, n, (uint64_t)n * r.len);
	if (writes)
		writes_issued(w, writes, r.file);
	return n;
}

unsigned next_io_fast_batch(struct worker *w, unsigned n)
{
	struct io_source *s = &w->source;
	unsigned took;

	n = n < w->q.nidle ? n : w->q.nidle;
	n = n < s->fast_left ? n : (unsigned)s->fast_left;
	took = s->row_ok ? take_row(w, n) : take_each(w, n);
	w->q.nidle -= took;
	w->q.nready += took;
	return took;
}
