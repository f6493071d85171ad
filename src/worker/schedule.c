/* schedule.c: when the next I/O of a job may start. A job without rate and think time issues its I/Os without
   these functions. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "clock.h"
#include "clone.h"
#include "io_queue.h"
#include "next_io.h"
#include "schedule.h"
#include "wait.h"
#include "worker.h"

static const char *const dir_name[DIR_DATA] = { "reads", "writes", "trims" };

static uint32_t unit_bytes(const struct schedule *a, unsigned dir)
{
	return (uint32_t)a->o->offset.bsize.lo[dir];
}

static uint64_t since_start(const struct schedule *a, uint64_t now)
{
	return now > a->start_ns ? now - a->start_ns : 0;
}

/* Returns the direction whose pacer this direction follows. With rate_total all follow the first one. */
static unsigned lane(const struct schedule *a, unsigned d)
{
	return a->total ? a->first : d;
}

/* Sets up the current schedule, for all files or for this file alone. */
static void init_one(struct worker *w, uint32_t file)
{
	const struct plan_job *pj = w->clone.job->members ? clone_file_job(&w->clone, file) : w->clone.job;
	const struct pace_cfg *cfg = &pj->job->opts.pace;
	struct schedule *a = w->sched.current;
	uint64_t seed = w->clone.job->share ? w->clone.plan->shares[w->clone.job->share - 1].seed
					    : w->clone.job->seed + file * 8ull;

	a->o = &pj->job->opts;
	for (unsigned d = 0; d < DIR_DATA; d++) {
		if (pj->rw & 1u << d &&
		    pacer_init(&a->pace[d], cfg, (enum io_dir)d, unit_bytes(a, d), seed + 3 + d))
			a->paced |= 1u << d;
		a->ahead[d] = a->pace[d];
	}
	a->total = cfg->total && a->paced;
	a->first = a->paced ? (unsigned)__builtin_ctz(a->paced) : 0;
	if (think_wanted(&a->o->think))
		a->paced |= PACED_THINK;
	a->pending_dir = -1;
	w->sched.paced |= a->paced;
}

/* Returns true if any file has a rate or think time. In a thread_group some files may have one and others
   not. */
static bool any_paced(struct worker *w)
{
	for (uint32_t i = 0; i < w->clone.job->nfiles && w->clone.job->members; i++) {
		w->sched.single = (struct schedule){ 0 };
		init_one(w, i);
	}
	if (!w->clone.job->members)
		init_one(w, 0);
	return w->sched.paced;
}

static double rate_per_ns(const struct schedule *a)
{
	double sum = 0;

	for (unsigned d = 0; d < DIR_DATA; d++) {
		if (a->paced & 1u << d && lane(a, d) == d)
			sum += 1 / pacer_gap_ns(&a->pace[d]);
	}
	return sum;
}

/* Sets the mean time between I/Os, for all directions and files together. A shared rate counts with this
   worker's part. */
static void set_gap(struct worker *w)
{
	double sum = w->sched.nfiles ? 0 : rate_per_ns(w->sched.current);
	double parts = w->clone.job->share ? w->clone.plan->shares[w->clone.job->share - 1].members : 1;

	for (uint32_t i = 0; i < w->sched.nfiles; i++)
		sum += rate_per_ns(&w->sched.per_file[i]);
	w->sched.gap_ns = sum > 0 ? (uint64_t)(parts / sum) + 1 : 0;
}

bool schedule_init(struct worker *w)
{
	if (!any_paced(w) || !w->source.own_depth || w->clone.job->nfiles == 1) {
		set_gap(w);
		return true;
	}
	w->sched.per_file = calloc(w->clone.job->nfiles, sizeof(*w->sched.per_file));
	if (!w->sched.per_file)
		return false;
	w->sched.nfiles = w->clone.job->nfiles;
	for (uint32_t i = 0; i < w->sched.nfiles; i++) {
		w->sched.current = &w->sched.per_file[i];
		init_one(w, i);
	}
	w->sched.current = w->sched.per_file;
	set_gap(w);
	return true;
}

void schedule_fini(struct worker *w)
{
	if (w->sched.nfiles)
		free(w->sched.per_file);
	w->sched.current = &w->sched.single;
	w->sched.nfiles = 0;
}

/* ---- phases ---- */

/* Joins the shared rate. The first worker that joins sets the start of the schedule. */
static void join_shared(struct worker *w, uint64_t start, bool ramp)
{
	struct schedule *a = w->sched.current;
	uint64_t expected = 0;

	a->shared = region_rate(w->clone.region, w->clone.job->share, ramp);
	if (atomic_compare_exchange_strong(&a->shared->start_ns, &expected, start))
		expected = start;
	a->start_ns = expected;
	for (unsigned d = 0; d < DIR_DATA; d++) {
		if (a->paced & 1u << d)
			pacer_share(&a->pace[d], &a->shared->dir[d].used);
	}
}

/* I/Os in flight were due during the ramp: their wait for the schedule is not measured. */
static void forget_waits(struct worker *w, uint64_t start)
{
	for (unsigned i = 0; i < w->clone.job->depth; i++) {
		struct io *io = &w->q.ios[i];

		io->due_ns = io->start_ns ? io->start_ns : start;
	}
}

static void begin_one(struct worker *w, uint64_t start, bool ramp)
{
	struct schedule *a = w->sched.current;
	bool first = a->start_ns == 0;

	a->start_ns = start;
	for (unsigned d = 0; d < DIR_DATA; d++) {
		a->behind_ns[d] = a->arrived[d] = a->issued[d] = 0;
		if (!(a->paced & 1u << d))
			continue;
		pacer_restart(&a->pace[d]);
		pacer_restart(&a->ahead[d]);
	}
	if (w->clone.job->share)
		join_shared(w, start, ramp);
	a->pending_dir = -1;
	if (first)
		think_restart(&a->think, start, 0);
	if (a->rest == REST_NOW && a->rest_ns < start)
		a->rest_ns = start;
	rate_min_start(&a->rate_min);
	a->rate_min_ns = !ramp && rate_min_wanted(&w->clone.opts->rate_min) ? start + a->rate_min.until_ns
									    : UINT64_MAX;
}

void schedule_begin(struct worker *w, uint64_t start, bool ramp)
{
	bool first;

	if (w->sched.nfiles)
		w->sched.current = w->sched.per_file;
	first = w->sched.current->start_ns == 0;
	begin_one(w, start, ramp);
	for (uint32_t i = 1; i < w->sched.nfiles; i++) {
		w->sched.current = &w->sched.per_file[i];
		begin_one(w, start, ramp);
	}
	if (w->sched.nfiles)
		w->sched.current = w->sched.per_file;
	if (!first)
		forget_waits(w, start);
}

/* Leaves the shared rate. Returns true for the last member, which counts the I/Os that no member issued; also
   true without a shared rate. */
static bool last_of_all(struct worker *w)
{
	struct region_rate *r;

	if (!w->clone.job->share || w->sched.current->left)
		return !w->clone.job->share;
	w->sched.current->left = true;
	r = region_rate(w->clone.region, w->clone.job->share, false);
	return atomic_fetch_add(&r->nended, 1) + 1 == w->clone.plan->shares[w->clone.job->share - 1].members;
}

void schedule_leave(struct worker *w)
{
	last_of_all(w);
}

/* ---- think time ---- */

/* Uses CPU cycles: a count of the time stamp counter, or loop turns on a CPU without one. */
static void burn(const struct worker *w, uint64_t cycles)
{
#if CLOCK_HAVE_TSC
	uint64_t from = __builtin_ia32_rdtsc();

	while (__builtin_ia32_rdtsc() - from < cycles && !clone_stopped(&w->clone))
		;
#else
	for (_Atomic uint64_t i = 0; i < cycles && !clone_stopped(&w->clone); i++)
		;
#endif
}

static void begin_rest(struct worker *w, uint64_t now)
{
	struct schedule *a = w->sched.current;
	const struct think_cfg *c = &a->o->think;

	a->rest = REST_NOW;
	a->rest_ns = now;
	if (c->cycles) {
		burn(w, c->cycles);
		now = clock_ns();
	}
	a->spin_end_ns = now + (c->spin_ns < c->time_ns ? c->spin_ns : c->time_ns);
	a->rest_end_ns = now + c->time_ns;
}

/* Ends the think time. The response time of I/Os that became due meanwhile does not include it. */
static void end_rest(struct worker *w, uint64_t now)
{
	struct schedule *a = w->sched.current;
	uint64_t rested = now > a->rest_ns ? now - a->rest_ns : 0;

	a->rest = REST_NOT;
	for (unsigned d = 0; d < DIR_DATA; d++) {
		if (!(a->paced & 1u << d))
			continue;
		if (a->o->pace.ignore_think)
			pacer_shift(&a->pace[d], rested);
		else
			a->behind_ns[d] += rested;
	}
}

/* Returns the number of I/Os in flight, of all files or of the current schedule's file. */
static unsigned under_way(const struct worker *w)
{
	if (w->sched.nfiles)
		return w->files.inflight[w->sched.current - w->sched.per_file];
	return io_queue_busy(&w->q);
}

/* Returns false during think time, and while I/Os in flight must complete before the think time begins. */
static bool rested(struct worker *w, uint64_t now)
{
	struct schedule *a = w->sched.current;
	const struct think_cfg *c = &a->o->think;
	unsigned busy = under_way(w), syncs = w->sched.nfiles ? 0 : w->q.syncs;
	uint64_t ios = c->by == THINK_ISSUE ? a->ios : a->ios - (busy - syncs);

	if (a->rest == REST_NOT && think_due(&a->think, c, now, ios))
		a->rest = REST_DRAIN;
	if (a->rest == REST_DRAIN && !busy)
		begin_rest(w, now);
	if (a->rest == REST_NOT)
		return true;
	if (a->rest == REST_DRAIN)
		return false;
	if (now < a->spin_end_ns) {
		wait_spin(w, wait_limit(w, a->spin_end_ns));
		now = w->clock.now_ns;
	}
	if (now < a->rest_end_ns) {
		w->sched.due_ns = a->rest_end_ns;
		return false;
	}
	end_rest(w, now);
	think_restart(&a->think, now, ios);
	return true;
}

/* ---- the direction of the next I/O ---- */

/* Returns the drawn direction if it is due, or else another direction that is due. A drawn direction that is
   not due yet stays in pending_dir. */
static enum io_dir drawn_dir(struct worker *w, uint64_t rel, uint64_t *due)
{
	struct schedule *a = w->sched.current;
	enum io_dir drawn = a->pending_dir >= 0 ? (enum io_dir)a->pending_dir : next_io_dir(w);
	unsigned tries = a->total ? 1 : DIR_DATA;

	*due = UINT64_MAX;
	for (unsigned k = 0; k < tries; k++) {
		enum io_dir d = (drawn + k) % DIR_DATA;
		uint64_t t;

		if (!(next_io_mix(w)->dirs & 1u << d))
			continue;
		t = a->paced & 1u << d ? pacer_due(&a->pace[lane(a, d)]) : 0;
		if (t <= rel) {
			a->pending_dir = d == drawn ? -1 : (int)drawn;
			*due = t;
			return d;
		}
		if (t < *due)
			*due = t;
	}
	a->pending_dir = (int)drawn;
	return DIR_COUNT;
}

/* rate_open: returns the direction with the earliest due time, if it is due. All directions have a rate. */
static enum io_dir first_dir(struct worker *w, uint64_t rel, uint64_t *due)
{
	enum io_dir first = DIR_COUNT;

	*due = UINT64_MAX;
	for (unsigned d = 0; d < DIR_DATA; d++) {
		uint64_t t;

		if (!(next_io_mix(w)->dirs & 1u << d))
			continue;
		t = pacer_due(&w->sched.current->pace[d]);
		if (t < *due) {
			*due = t;
			first = (enum io_dir)d;
		}
	}
	return *due <= rel ? first : DIR_COUNT;
}

enum io_dir schedule_next(struct worker *w, uint64_t now, uint64_t *due)
{
	struct schedule *a = w->sched.current;
	uint64_t rel;
	enum io_dir dir;

	if (a->paced & PACED_THINK) {
		if (!rested(w, now))
			return DIR_COUNT;
		now = w->clock.now_ns;
	}
	if (!(a->paced & ~PACED_THINK))
		return next_io_dir(w);
	rel = since_start(a, now);
	dir = a->o->pace.open ? first_dir(w, rel, due) : drawn_dir(w, rel, due);
	if (dir == DIR_COUNT)
		w->sched.due_ns = *due < UINT64_MAX - a->start_ns ? a->start_ns + *due : UINT64_MAX;
	return dir;
}

/* Updates the longest queue: I/Os that have arrived and are not issued. The current I/O counts as issued. */
static void measure_queue(struct worker *w, unsigned d, uint64_t rel)
{
	struct schedule *a = w->sched.current;
	uint64_t *most = &w->stats.cnt->queue_max[d], gone = a->issued[d];

	a->arrived[d] += pacer_take_due(&a->ahead[d], rel, unit_bytes(a, d));
	if (a->shared)
		gone = atomic_load_explicit(&a->shared->dir[d].used, memory_order_relaxed) / a->pace[d].unit;
	if (a->arrived[d] > gone && a->arrived[d] - gone > *most)
		*most = a->arrived[d] - gone;
}

void schedule_take(struct worker *w, struct io *io, uint64_t due, uint64_t now)
{
	struct schedule *a = w->sched.current;
	uint64_t rel = since_start(a, now);

	unsigned d = lane(a, io->dir);

	a->ios++;
	if (!(a->paced & 1u << d) &&
	    w->source.thread_group) { /* a file without a rate, beside files with one */
		io->due_ns = now;
		return;
	}
	io->due_ns = a->start_ns + think_shift_due(&a->behind_ns[d], due, rel);
	if (!(a->paced & 1u << d))
		return;
	pacer_take(&a->pace[d], io->len);
	a->issued[d]++;
	if (a->o->pace.open)
		measure_queue(w, d, rel);
}

/* ---- the end ---- */

static void count_unissued(struct worker *w, unsigned d, uint64_t rel, bool all)
{
	struct wcount *c = w->stats.cnt;
	struct pacer *p = &w->sched.current->pace[d];
	struct pacer_backlog b = { 0 };

	pacer_release(p);
	if (all)
		pacer_backlog(p, rel, unit_bytes(w->sched.current, d), &b);
	if (p->reserved &&
	    p->due_ns < rel) { /* a reserved place that was due: other members took later ones */
		b.count++;
		b.sum_ns += rel - p->due_ns;
		if (rel - p->due_ns > b.oldest_ns)
			b.oldest_ns = rel - p->due_ns;
	}
	c->unissued[d] += b.count;
	if (b.oldest_ns > c->unissued_age_ns[d])
		c->unissued_age_ns[d] = b.oldest_ns;
	c->unissued_sum_ns[d] += b.sum_ns;
}

static void end_one(struct worker *w, uint64_t end, bool all)
{
	struct schedule *a = w->sched.current;
	uint64_t rel = since_start(a, end);

	if (a->rest == REST_NOW)
		end_rest(w, end);
	for (unsigned d = 0; d < DIR_DATA; d++) {
		struct wcount *c = w->stats.cnt;

		if (!(a->paced & 1u << d) || lane(a, d) != d)
			continue;
		if (w->quota.exhausted)
			pacer_release(&a->pace[d]);
		else
			count_unissued(w, d, rel > a->behind_ns[d] ? rel - a->behind_ns[d] : 0, all);
		if (!a->o->pace.open)
			continue;
		c->arrivals[d] = a->issued[d] + c->unissued[d];
		if (c->unissued[d] > c->queue_max[d])
			c->queue_max[d] = c->unissued[d];
	}
}

void schedule_end(struct worker *w, uint64_t end)
{
	bool all = last_of_all(w);

	if (w->sched.nfiles)
		w->sched.current = w->sched.per_file;
	end_one(w, end, all);
	for (uint32_t i = 1; i < w->sched.nfiles; i++) {
		w->sched.current = &w->sched.per_file[i];
		end_one(w, end, all);
	}
	if (w->sched.nfiles)
		w->sched.current = w->sched.per_file;
}

/* ---- minimum rates ---- */

static void fail_rate_min(struct worker *w, const struct rate_min_miss *m)
{
	uint64_t got = m->got, least = m->least;

	clone_fail(&w->clone, EIO,
		   "%s=%" PRIu64 " was not met: %s did %" PRIu64 " %s per second from %.3f s to %.3f s after "
		   "the start",
		   m->iops ? "rate_iops_min" : "rate_min", least, dir_name[m->dir], got,
		   m->iops ? "I/Os" : "bytes", (double)m->from_ns / 1e9, (double)m->to_ns / 1e9);
}

void schedule_floor(struct worker *w, uint64_t now)
{
	struct schedule *a = w->sched.current;
	const struct slot *s = w->clone.slot;
	uint64_t bytes[DIR_DATA], ios[DIR_DATA];
	struct rate_min_miss miss;

	if (now > w->clock.deadline_ns)
		now = w->clock.deadline_ns;
	if (now < a->rate_min_ns || w->quota.exhausted)
		return;
	for (unsigned d = 0; d < DIR_DATA; d++) {
		bytes[d] = atomic_load_explicit(&s->live_bytes[d], memory_order_relaxed);
		ios[d] = atomic_load_explicit(&s->live_ios[d], memory_order_relaxed);
	}
	if (!rate_min_check(&a->rate_min, &w->clone.opts->rate_min, now - w->clock.start_ns, bytes, ios,
			    &miss))
		fail_rate_min(w, &miss);
	a->rate_min_ns = w->clock.start_ns + a->rate_min.until_ns;
}
