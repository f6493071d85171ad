/* replay.c: the I/Os of a trace (read_iolog), at their times. */
#include <errno.h>
#include <stdlib.h>
#include <sys/uio.h>
#include "account.h"
#include "clock.h"
#include "clone.h"
#include "io_queue.h"
#include "next_io.h"
#include "replay.h"
#include "worker.h"

#define LATE_NS 1000000u
#define PARTS   WSTAT_LATE_PARTS

#define NEVER_NS (UINT64_MAX / 4) /* later than any run; sums with it do not overflow */

struct replay {
	const struct replay_cfg *cfg;
	struct replay_pass pass;
	struct trace *trace;
	struct trace_event next;
	bool has_next;
	uint64_t start_ns; /* when time 0 of this pass is due; 0: the replay has not begun */
	uint64_t pass_ns;  /* how long a pass takes */
	uint64_t ios;      /* of this pass so far */
	/* A write before which the device flushes its cache: it waits for this flush. Other I/Os go on
	   meanwhile. */
	struct trace_event flushed;
	bool has_flushed, ended;
	uint64_t flushed_due_ns;
	const struct io *flush; /* in flight; NULL: it has completed */
	uint8_t *part;          /* by io.index: in which part of the trace the I/O is, or NO_TIME */
};

/* The I/O has no time of its own: it follows a flush. */
#define NO_TIME PARTS

static uint64_t replay_scaled(const struct replay_cfg *c, uint64_t ns)
{
	__extension__ typedef unsigned __int128 u128;

	u128 v = (u128)ns * 100 / c->time_scale;

	return v < NEVER_NS ? (uint64_t)v : NEVER_NS;
}

/* Begins a pass over the trace. Returns false after clone_fail. */
static bool open_trace(struct replay *r, struct clone *c)
{
	struct diag d = { 0 };
	int ret;

	trace_close(r->trace);
	r->pass = (struct replay_pass){ .cfg = r->cfg, .facts = r->cfg->facts };
	ret = trace_open(&r->trace, &r->cfg->facts->source, &d);
	if (ret)
		clone_fail_diag(c, -ret, &d);
	diag_fini(&d);
	return !ret;
}

bool replay_init(struct worker *w)
{
	const struct replay_cfg *cfg = &w->clone.opts->replay;

	if (!cfg->log)
		return true;
	w->replay = calloc(1, sizeof(*w->replay));
	if (!w->replay) {
		clone_fail(&w->clone, ENOMEM, "out of memory");
		return false;
	}
	w->replay->part = calloc(w->clone.job->depth, sizeof(*w->replay->part));
	if (!w->replay->part) {
		clone_fail(&w->clone, ENOMEM, "out of memory");
		return false;
	}
	w->replay->cfg = cfg;
	w->replay->pass_ns = replay_scaled(cfg, cfg->facts->end_ns);
	if (plan_replays_timed(w->clone.job))
		w->sched.paced |= PACED_REPLAY;
	return open_trace(w->replay, &w->clone);
}

void replay_fini(struct worker *w)
{
	if (w->replay) {
		trace_close(w->replay->trace);
		free(w->replay->part);
	}
	free(w->replay);
	w->replay = NULL;
}

/* Returns whether the event is as the first pass over the trace saw it. */
static bool fits(const struct replay *r, const struct clone *c)
{
	const struct replay_facts *f = r->cfg->facts;
	const struct trace_event *e = &r->next;

	if (e->device >= f->targets || e->device >= c->job->nfiles)
		return false;
	return e->op >= TRACE_DATA_OPS ||
	       (c->job->rw & 1u << e->op && e->length <= c->job->bs_max && e->length <= f->end[e->device] &&
		e->offset <= f->end[e->device] - e->length);
}

/* Reads the next event that is replayed. Returns 1; 0 at the end; -1 after clone_fail. */
static int read_event(struct replay *r, struct clone *c)
{
	struct diag d = { 0 };
	int ret;

	do
		ret = trace_next(r->trace, &r->next, &d);
	while (ret > 0 && !replay_event(&r->pass, &r->next));
	r->ios += ret > 0;
	if (ret < 0)
		clone_fail_diag(c, -ret, &d);
	else if (ret ? !fits(r, c) : r->ios != r->cfg->facts->ios)
		clone_fail(c, EINVAL, "%s: the trace has changed since the run began", r->cfg->log);
	diag_fini(&d);
	return c->failed ? -1 : ret;
}

/* Returns whether the trace begins again: the next pass follows the one that ended. */
static bool next_pass(struct worker *w)
{
	struct replay *r = w->replay;

	if (!w->clone.opts->time.time_based && !--w->quota.loops_left)
		return false;
	r->ios = 0;
	r->start_ns += r->pass_ns;
	return open_trace(r, &w->clone);
}

/* Makes the next event known. Returns false at the end of the last pass, or after clone_fail. */
static bool find_event(struct worker *w)
{
	struct replay *r = w->replay;
	int ret = 1;

	while (!r->has_next && (ret = read_event(r, &w->clone)) == 0)
		if (!next_pass(w))
			return false;
	r->has_next = ret > 0;
	return r->has_next;
}

static uint64_t target_offset(const struct worker *w, const struct trace_event *e)
{
	const struct replay_cfg *c = w->replay->cfg;
	const struct target_facts *f = clone_target(&w->clone, e->device)->facts;

	if (c->address != REPLAY_WRAP && c->address != REPLAY_FIT)
		return e->offset;
	if (clone_caps(&w->clone) & ENG_NOFILE || f->type == TARGET_MISSING)
		return e->offset;
	return replay_offset(c, e, c->facts->end[e->device], f->size);
}

static uint8_t part_of(const struct replay *r, const struct trace_event *e)
{
	uint64_t length = r->cfg->facts->end_ns / PARTS + 1, part = e->time_ns / length;

	return part < PARTS ? (uint8_t)part : PARTS - 1;
}

/* Fills in the I/O. A write that the trace has with FUA completes once its data is on the medium. */
static void fill(struct worker *w, struct io *io, const struct trace_event *e)
{
	struct file *f = &w->files.file[e->device];
	bool fua = e->op == TRACE_WRITE && e->flags & TRACE_FUA;

	if (e->op >= TRACE_DATA_OPS) {
		next_io_fill_sync(w, io, f, e->op == TRACE_SYNC ? IO_FSYNC : IO_FDATASYNC);
		return;
	}
	io->file = f;
	io->target = e->device;
	io->offset = target_offset(w, e);
	io->len = (uint32_t)e->length;
	io->rwf = fua ? RWF_DSYNC : 0;
	w->stats.cnt->replayed_fua += fua;
	next_io_fill(w, io, (enum io_dir)e->op);
}

/* Fills in the flush before a write, which waits for it. */
static void fill_flush(struct worker *w, struct io *io)
{
	struct replay *r = w->replay;

	r->flushed = r->next;
	r->has_flushed = true;
	r->flush = io;
	w->stats.cnt->replayed_flushes++;
	next_io_fill_sync(w, io, &w->files.file[r->next.device], IO_FSYNC);
}

/* Fills in the write whose flush has completed. */
static enum next_io_result fill_flushed(struct worker *w, struct io *io, uint64_t now)
{
	struct replay *r = w->replay;

	fill(w, io, &r->flushed);
	io->due_ns = w->sched.paced ? r->flushed_due_ns : now;
	r->part[io->index] = NO_TIME;
	r->has_flushed = false;
	return NEXT_IO;
}

static enum next_io_result end_replay(struct worker *w)
{
	if (w->replay->has_flushed && !w->clone.failed)
		return NEXT_WAIT;
	next_io_stop(&w->quota, &w->source);
	return NEXT_END;
}

enum next_io_result replay_next(struct worker *w, struct io *io, uint64_t now)
{
	struct replay *r = w->replay;
	bool flushes;
	uint64_t due = now;

	w->sched.due_ns = 0;
	if (w->quota.exhausted)
		return NEXT_END;
	if (!r->start_ns)
		r->start_ns = now;
	if (r->has_flushed && !r->flush)
		return fill_flushed(w, io, now);
	if (r->ended || !find_event(w)) {
		r->ended = true;
		return end_replay(w);
	}
	if (w->sched.paced) {
		due = r->start_ns + replay_scaled(r->cfg, r->next.time_ns);
		if (due > now) {
			w->sched.due_ns = due;
			return NEXT_WAIT;
		}
	}
	flushes = r->next.op == TRACE_WRITE && r->next.flags & TRACE_PREFLUSH;
	if (flushes && r->has_flushed)
		return NEXT_WAIT;
	if (flushes) {
		fill_flush(w, io);
		r->flushed_due_ns = due;
	} else {
		fill(w, io, &r->next);
	}
	io->due_ns = due;
	r->part[io->index] = part_of(r, &r->next);
	r->has_next = false;
	return NEXT_IO;
}

void replay_done(struct worker *w, struct io *io)
{
	if (w->replay->flush == io)
		w->replay->flush = NULL;
	io->rwf = 0;
}

void replay_count(struct worker *w, const struct io *io)
{
	struct wcount *c = w->stats.cnt;
	unsigned part = w->replay->part[io->index];
	uint64_t ns = clock_since(io->start_ns, io->due_ns);

	if (part == NO_TIME || !w->replay->cfg->facts->timed)
		return;
	c->replayed++;
	c->replayed_late += ns > LATE_NS;
	c->late[hist_index(ns) / WSTAT_LATE_STEP]++;
	c->late_sum_ns += ns;
	c->late_max_ns = ns > c->late_max_ns ? ns : c->late_max_ns;
	c->late_part[part]++;
	c->late_part_ns[part] += ns;
}
