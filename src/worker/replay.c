/* replay.c: the I/Os of a trace (read_iolog), at their times. */
#include <errno.h>
#include <stdlib.h>
#include "account.h"
#include "clone.h"
#include "io_queue.h"
#include "next_io.h"
#include "replay.h"
#include "worker.h"

#define LATE_NS 1000000u

struct replay {
	const struct replay_cfg *cfg;
	struct trace *trace;
	struct trace_event next;
	bool has_next;
	uint64_t start_ns; /* when time 0 of this pass is due; 0: the replay has not begun */
	uint64_t pass_ns;  /* how long a pass takes */
};

static uint64_t scaled(const struct replay_cfg *c, uint64_t ns)
{
	__extension__ typedef unsigned __int128 u128;

	return (uint64_t)((u128)ns * 100 / c->time_scale);
}

/* Begins a pass over the trace. Returns false after clone_fail. */
static bool open_trace(struct replay *r, struct clone *c)
{
	struct diag d = { 0 };
	int ret;

	trace_close(r->trace);
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
	w->replay->cfg = cfg;
	w->replay->pass_ns = scaled(cfg, cfg->facts->end_ns);
	if (plan_replays_timed(w->clone.job))
		w->sched.paced |= PACED_REPLAY;
	return open_trace(w->replay, &w->clone);
}

void replay_fini(struct worker *w)
{
	if (w->replay)
		trace_close(w->replay->trace);
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
	while (ret > 0 && !replay_event(r->cfg, &r->next));
	if (ret < 0)
		clone_fail_diag(c, -ret, &d);
	else if (ret && !fits(r, c))
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

static void fill(struct worker *w, struct io *io, const struct trace_event *e)
{
	struct file *f = &w->files.file[e->device];

	if (e->op >= TRACE_DATA_OPS) {
		next_io_fill_sync(w, io, f, e->op == TRACE_SYNC ? IO_FSYNC : IO_FDATASYNC);
		return;
	}
	io->file = f;
	io->target = e->device;
	io->offset = e->offset;
	io->len = (uint32_t)e->length;
	next_io_fill(w, io, (enum io_dir)e->op);
}

enum next_io_result replay_next(struct worker *w, struct io *io, uint64_t now)
{
	struct replay *r = w->replay;
	uint64_t due = now;

	w->sched.due_ns = 0;
	if (w->quota.exhausted)
		return NEXT_END;
	if (!r->start_ns)
		r->start_ns = now;
	if (!find_event(w)) {
		next_io_stop(&w->quota, &w->source);
		return NEXT_END;
	}
	if (w->sched.paced) {
		due = r->start_ns + scaled(r->cfg, r->next.time_ns);
		if (due > now) {
			w->sched.due_ns = due;
			return NEXT_WAIT;
		}
	}
	fill(w, io, &r->next);
	io->due_ns = due;
	r->has_next = false;
	return NEXT_IO;
}

void replay_count(struct worker *w, const struct io *io)
{
	w->stats.cnt->replayed++;
	w->stats.cnt->replayed_late += io->start_ns > io->due_ns + LATE_NS;
}
