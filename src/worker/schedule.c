/* schedule.c: rates, think time and minimum rates of a worker. schedule_end.c has their end. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include "clock.h"
#include "clone.h"
#include "io_queue.h"
#include "io_source.h"
#include "schedule.h"
#include "account.h"
#include "worker.h"

static const char *const dir_name[DIR_DATA] = { "reads", "writes", "trims" };

static const struct plan_share *share_of(const struct clone *c)
{
	return c->job->share ? &c->plan->shares[c->job->share - 1] : NULL;
}

/* Sets up a schedule, for all files or for this file alone. Returns its `paced`. */
static unsigned init_one(struct schedule *s, const struct clone *c, uint32_t file)
{
	const struct plan_job *pj = c->job->members ? clone_file_job(c, file) : c->job;
	const struct pace_cfg *cfg = &pj->job->opts.pace;
	uint64_t seed = c->job->share ? share_of(c)->seed : c->job->seed + file * 8ull;

	s->opts = &pj->job->opts;
	for (unsigned d = 0; d < DIR_DATA; d++) {
		if (pj->rw & 1u << d &&
		    pacer_init(&s->pace[d], cfg, (enum io_dir)d, schedule_unit_bytes(s, d), seed + 3 + d))
			s->paced |= 1u << d;
		s->arrival_pace[d] = s->pace[d];
	}
	s->one_pacer = cfg->total && s->paced;
	s->first_dir = s->paced ? (unsigned)__builtin_ctz(s->paced) : 0;
	if (think_wanted(&s->opts->think))
		s->paced |= PACED_THINK;
	rng_init(&s->think_rng, seed + 3 + DIR_DATA);
	s->pending_dir = -1;
	return s->paced;
}

/* Sets up the single schedule, and the bits of the rates of all files. In a thread_group some files may have
   a rate or think time and others not. */
static void init_single(struct scheduler *s, const struct clone *c)
{
	if (!c->job->members)
		s->paced = init_one(&s->single, c, 0);
	for (uint32_t i = 0; i < c->job->nfiles && c->job->members; i++) {
		s->single = (struct schedule){ 0 };
		s->paced |= init_one(&s->single, c, i);
	}
}

static double rate_per_ns(const struct schedule *s)
{
	double sum = 0;

	for (unsigned d = 0; d < DIR_DATA; d++) {
		if (schedule_has_rate(s, d) && schedule_pacer_dir(s, d) == d)
			sum += 1 / pacer_gap_ns(&s->pace[d]);
	}
	return sum;
}

/* Sets the mean time between I/Os, for all directions and files together. A worker has an equal part of a
   shared rate. */
static void set_gap(struct scheduler *s, const struct clone *c)
{
	double sum = s->nfiles ? 0 : rate_per_ns(&s->single);
	double members = c->job->share ? share_of(c)->members : 1;

	for (uint32_t i = 0; i < s->nfiles; i++)
		sum += rate_per_ns(&s->per_file[i]);
	s->gap_ns = sum > 0 ? (uint64_t)(members / sum) + 1 : 0;
}

bool schedule_init(struct scheduler *s, const struct clone *c, bool per_file)
{
	s->next = schedule_next;
	s->take = schedule_take;
	init_single(s, c);
	if (s->paced && per_file && c->job->nfiles > 1) {
		s->per_file = calloc(c->job->nfiles, sizeof(*s->per_file));
		if (!s->per_file)
			return false;
		s->nfiles = c->job->nfiles;
		for (uint32_t i = 0; i < s->nfiles; i++)
			init_one(&s->per_file[i], c, i);
		s->current = s->per_file;
	}
	set_gap(s, c);
	return true;
}

void schedule_fini(struct scheduler *s)
{
	free(s->per_file);
	s->per_file = NULL;
	s->current = &s->single;
	s->nfiles = 0;
}

/* ---- phases ---- */

/* Joins the shared rate. The first worker that joins sets the start of the schedule. */
static void join_shared(struct schedule *s, const struct clone *c, uint64_t start, bool ramp)
{
	uint64_t expected = 0;

	s->shared = region_rate(c->region, c->job->share, ramp);
	if (atomic_compare_exchange_strong(&s->shared->start_ns, &expected, start))
		expected = start;
	s->start_ns = expected;
	for (unsigned d = 0; d < DIR_DATA; d++) {
		if (schedule_has_rate(s, d))
			pacer_share(&s->pace[d], &s->shared->dir[d].used);
	}
}

/* I/Os in flight were due during the ramp: their wait for the schedule is not measured. */
static void reset_due(struct io *ios, unsigned n, uint64_t start)
{
	for (unsigned i = 0; i < n; i++)
		ios[i].due_ns = ios[i].start_ns ? ios[i].start_ns : start;
}

static void begin_one(struct schedule *s, const struct clone *c, uint64_t start, bool ramp)
{
	bool first = s->start_ns == 0;

	s->start_ns = start;
	for (unsigned d = 0; d < DIR_DATA; d++) {
		s->think_lag_ns[d] = s->arrivals[d] = s->issued[d] = 0;
		if (!schedule_has_rate(s, d))
			continue;
		pacer_restart(&s->pace[d]);
		pacer_restart(&s->arrival_pace[d]);
		if (!ramp)
			continue;
		pacer_hold_step(&s->pace[d]);
		pacer_hold_step(&s->arrival_pace[d]);
	}
	if (c->job->share)
		join_shared(s, c, start, ramp);
	s->pending_dir = -1;
	if (first)
		s->think.since_ns = start;
	if (s->pause == PAUSE_THINK && s->pause_start_ns < start)
		s->pause_start_ns = start;
	rate_min_start(&s->rate_min);
	s->rate_min_check_ns = UINT64_MAX;
	if (!ramp && rate_min_wanted(&c->opts->rate_min))
		s->rate_min_check_ns = start + s->rate_min.until_ns;
}

void schedule_begin(struct scheduler *s, const struct clone *c, struct io *ios, uint64_t start, bool ramp)
{
	struct schedule *all = s->nfiles ? s->per_file : &s->single;
	bool first = all->start_ns == 0;

	s->ended = false;
	s->current = all;
	begin_one(all, c, start, ramp);
	for (uint32_t i = 1; i < s->nfiles; i++)
		begin_one(&all[i], c, start, ramp);
	if (!first)
		reset_due(ios, c->job->depth, start);
}

/* ---- think time ---- */

/* Uses CPU cycles: a count of the time stamp counter, or loop turns on a CPU without one. */
static void use_cpu(const struct clone *c, uint64_t cycles)
{
#if CLOCK_HAVE_TSC
	uint64_t from = __builtin_ia32_rdtsc();

	while (__builtin_ia32_rdtsc() - from < cycles && !clone_stopped(c))
		;
#else
	for (_Atomic uint64_t i = 0; i < cycles && !clone_stopped(c); i++)
		;
#endif
}

static void begin_pause(struct schedule *s, const struct clone *c, uint64_t now)
{
	const struct think_cfg *cfg = &s->opts->think;
	uint64_t length = think_length(cfg, &s->think_rng);

	s->pause = PAUSE_THINK;
	s->pause_start_ns = now;
	if (cfg->cycles) {
		use_cpu(c, cfg->cycles);
		now = clock_ns();
	}
	s->spin_end_ns = now + (cfg->spin_ns < length ? cfg->spin_ns : length);
	s->pause_end_ns = now + length;
}

/* Ends the think time. The response time of I/Os that became due meanwhile does not include it. */
void schedule_end_think(struct schedule *s, uint64_t now)
{
	uint64_t length = now > s->pause_start_ns ? now - s->pause_start_ns : 0;

	s->pause = PAUSE_NONE;
	for (unsigned d = 0; d < DIR_DATA; d++) {
		if (!schedule_has_rate(s, d))
			continue;
		if (s->opts->pace.ignore_think)
			pacer_shift(&s->pace[d], length);
		else
			s->think_lag_ns[d] += length;
	}
}

/* Returns the number of I/Os in flight, of all files or of the current schedule's file. */
static unsigned in_flight(const struct worker *w)
{
	if (w->sched.nfiles)
		return w->files.inflight[w->sched.current - w->sched.per_file];
	return io_queue_busy(&w->q);
}

/* Begins and ends think time. Returns true while the worker must not issue an I/O: during think time, and
   while I/Os in flight must complete before it begins. */
static bool pausing(struct worker *w, uint64_t now)
{
	struct schedule *s = w->sched.current;
	const struct think_cfg *cfg = &s->opts->think;
	unsigned busy = in_flight(w), syncs = w->sched.nfiles ? 0 : w->q.syncs;
	uint64_t ios = cfg->by == THINK_ISSUE ? s->issued_ios : s->issued_ios - (busy - syncs);

	if (s->pause == PAUSE_NONE && s->issued_ios > s->resumed_ios && think_due(&s->think, cfg, now, ios)) {
		think_pay(&s->think, cfg, ios);
		s->pause = PAUSE_DRAIN;
	}
	if (s->pause == PAUSE_DRAIN && !busy)
		begin_pause(s, &w->clone, now);
	if (s->pause == PAUSE_NONE)
		return false;
	if (s->pause == PAUSE_DRAIN)
		return true;
	if (now < s->spin_end_ns) {
		wait_spin(&w->clock, &w->clone, wait_limit(&w->clock, s->spin_end_ns));
		now = w->clock.now_ns;
	}
	if (now < s->pause_end_ns) {
		w->sched.due_ns = s->pause_end_ns;
		return true;
	}
	schedule_end_think(s, now);
	s->think.since_ns = now;
	s->resumed_ios = s->issued_ios;
	return false;
}

/* ---- the direction of the next I/O ---- */

/* Returns the drawn direction if it is due, or else another direction that is due. A drawn direction that is
   not due yet stays in pending_dir. */
static enum io_dir drawn_dir(struct schedule *s, struct io_source *source, uint64_t rel, uint64_t *due)
{
	enum io_dir drawn = s->pending_dir >= 0 ? (enum io_dir)s->pending_dir : io_source_dir(source);
	unsigned tries = s->one_pacer ? 1 : DIR_DATA;

	*due = UINT64_MAX;
	for (unsigned k = 0; k < tries; k++) {
		enum io_dir d = (drawn + k) % DIR_DATA;
		uint64_t t;

		if (!(io_source_mix(source)->dirs & 1u << d))
			continue;
		t = schedule_has_rate(s, d) ? pacer_due(&s->pace[schedule_pacer_dir(s, d)]) : 0;
		if (t <= rel) {
			s->pending_dir = d == drawn ? -1 : (int)drawn;
			*due = t;
			return d;
		}
		if (t < *due)
			*due = t;
	}
	s->pending_dir = (int)drawn;
	return DIR_COUNT;
}

/* rate_open: returns the direction with the earliest due time, if it is due. All directions have a rate. */
static enum io_dir earliest_dir(struct schedule *s, struct io_source *source, uint64_t rel, uint64_t *due)
{
	enum io_dir first = DIR_COUNT;

	*due = UINT64_MAX;
	for (unsigned d = 0; d < DIR_DATA; d++) {
		uint64_t t;

		if (!(io_source_mix(source)->dirs & 1u << d))
			continue;
		t = pacer_due(&s->pace[d]);
		if (t < *due) {
			*due = t;
			first = (enum io_dir)d;
		}
	}
	return *due <= rel ? first : DIR_COUNT;
}

enum io_dir schedule_next(struct worker *w, uint64_t now, uint64_t *due)
{
	struct schedule *s = w->sched.current;
	uint64_t rel;
	enum io_dir dir;

	if (s->paced & PACED_THINK) {
		if (pausing(w, now))
			return DIR_COUNT;
		now = w->clock.now_ns;
	}
	if (!(s->paced & ~PACED_THINK))
		return io_source_dir(&w->source);
	rel = schedule_since_start(s, now);
	if (s->opts->pace.open)
		dir = earliest_dir(s, &w->source, rel, due);
	else
		dir = drawn_dir(s, &w->source, rel, due);
	if (dir == DIR_COUNT)
		w->sched.due_ns = *due < UINT64_MAX - s->start_ns ? s->start_ns + *due : UINT64_MAX;
	return dir;
}

/* Updates the longest queue: I/Os that have arrived and are not issued. The current I/O counts as issued. */
static void measure_queue(struct schedule *s, struct wcount *cnt, unsigned d, uint64_t rel)
{
	uint64_t *longest = &cnt->queue_max[d], issued = s->issued[d];

	s->arrivals[d] += pacer_take_due(&s->arrival_pace[d], rel, schedule_unit_bytes(s, d));
	if (s->shared)
		issued =
			atomic_load_explicit(&s->shared->dir[d].used, memory_order_relaxed) / s->pace[d].unit;
	if (s->arrivals[d] > issued && s->arrivals[d] - issued > *longest)
		*longest = s->arrivals[d] - issued;
}

void schedule_take(struct worker *w, struct io *io, uint64_t due, uint64_t now)
{
	struct schedule *s = w->sched.current;
	uint64_t rel = schedule_since_start(s, now);
	unsigned d = schedule_pacer_dir(s, io->dir);

	s->issued_ios++;
	if (!schedule_has_rate(s, d) &&
	    w->source.thread_group) { /* a file without a rate, beside files with one */
		io->due_ns = now;
		return;
	}
	io->due_ns = s->start_ns + think_shift_due(&s->think_lag_ns[d], due, rel);
	if (!schedule_has_rate(s, d))
		return;
	pacer_take(&s->pace[d], io->len);
	s->issued[io->dir]++;
	if (s->opts->pace.open)
		measure_queue(s, w->stats.cnt, d, rel);
}

/* ---- pauses ---- */

static void add_lag(struct schedule *s, uint64_t length)
{
	for (unsigned d = 0; d < DIR_DATA; d++)
		if (schedule_has_rate(s, d))
			s->think_lag_ns[d] += length;
}

static void pause_one(struct schedule *s, uint64_t length)
{
	s->think.since_ns += length;
	if (s->pause == PAUSE_THINK) {
		s->pause_start_ns += length;
		s->spin_end_ns += length;
		s->pause_end_ns += length;
	}
	if (!s->shared) {
		s->start_ns += length;
		return;
	}
	add_lag(s, length);
}

void schedule_pause(struct scheduler *s, uint64_t length)
{
	if (!s->nfiles)
		pause_one(&s->single, length);
	for (uint32_t i = 0; i < s->nfiles; i++)
		pause_one(&s->per_file[i], length);
}

void schedule_add_lag(struct scheduler *s, uint64_t length)
{
	add_lag(&s->single, length);
	for (uint32_t i = 0; i < s->nfiles; i++)
		add_lag(&s->per_file[i], length);
}

/* ---- minimum rates ---- */

static void fail_rate_min(struct clone *c, const struct rate_min_miss *m)
{
	clone_fail(c, EIO,
		   "%s=%" PRIu64 " was not met: %s did %" PRIu64 " %s per second from %.3f s to %.3f s after "
		   "the start",
		   m->iops ? "rate_iops_min" : "rate_min", m->required, dir_name[m->dir], m->reached,
		   m->iops ? "I/Os" : "bytes", (double)m->from_ns / 1e9, (double)m->to_ns / 1e9);
}

void schedule_restart_rate_min(struct worker *w, uint64_t now)
{
	struct schedule *s = w->sched.current;

	if (!rate_min_wanted(&w->clone.opts->rate_min) || w->clock.in_ramp || w->clock.in_cooldown)
		return;
	s->rate_min.from_ns = UINT64_MAX;
	if (s->rate_min.until_ns < now - w->clock.start_ns)
		s->rate_min.until_ns = now - w->clock.start_ns;
	s->rate_min_check_ns = w->clock.start_ns + s->rate_min.until_ns;
}

void schedule_check_rate_min(struct worker *w, uint64_t now)
{
	struct schedule *s = w->sched.current;
	const struct slot *slot = w->clone.slot;
	uint64_t bytes[DIR_DATA], ios[DIR_DATA];
	struct rate_min_miss miss;

	if (now > w->clock.deadline_ns)
		now = w->clock.deadline_ns;
	if (now < s->rate_min_check_ns || w->quota.exhausted)
		return;
	for (unsigned d = 0; d < DIR_DATA; d++) {
		bytes[d] = atomic_load_explicit(&slot->live_bytes[d], memory_order_relaxed);
		ios[d] = atomic_load_explicit(&slot->live_ios[d], memory_order_relaxed);
	}
	if (!rate_min_check(&s->rate_min, &w->clone.opts->rate_min, now - w->clock.start_ns, bytes, ios,
			    &miss))
		fail_rate_min(&w->clone, &miss);
	s->rate_min_check_ns = w->clock.start_ns + s->rate_min.until_ns;
}
