/* window.c: decides which I/Os count. */
#include <stdlib.h>
#include "account.h"
#include "clock.h"
#include "clone.h"
#include "phase.h"
#include "schedule.h"
#include "window.h"
#include "worker.h"

struct outside_stats {
	struct wcount cnt;
	struct wstat *st;
};

/* Returns true if the measurement goes on until all I/Os have completed. */
static bool drains(const struct job_opts *o)
{
	const struct time_cfg *t = &o->time;
	bool syncs = o->sync.end_fsync || o->sync.end_syncfs;

	return (!t->runtime_ns && !t->time_based) || o->verify.format.kind ||
	       (syncs && !window_has_cooldown(t));
}

bool window_init(struct window *win, const struct clone *c)
{
	const struct time_cfg *t = &c->opts->time;

	win->cut = t->drop_late || t->ramp_only || (window_has_ramp(t) && !drains(c->opts));
	if (!win->cut && !t->cooldown_ns && !window_has_ramp(t))
		return true;
	win->outside = calloc(1, sizeof(*win->outside));
	if (win->outside)
		win->outside->st = calloc(1, wstat_size(&c->job->layout));
	if (!win->outside || !win->outside->st)
		return false;
	wstat_init(win->outside->st, &c->job->layout);
	return true;
}

static bool began_before(const struct io *io, uint64_t ns)
{
	return io->start_ns && io->start_ns < ns;
}

/* Returns true if an I/O in flight began before `ns`. The queue may hold I/Os that completed short, too. */
static bool in_flight_before(const struct io_queue *q, unsigned depth, uint64_t ns)
{
	for (unsigned i = 0; i < q->nready; i++)
		if (q->ready[i]->done && began_before(q->ready[i], ns))
			return true;
	for (unsigned i = 0; i < depth; i++)
		if (q->ios[i].res == IO_IN_ENGINE && began_before(&q->ios[i], ns))
			return true;
	return false;
}

static bool edge_in_flight(const struct worker *w)
{
	return in_flight_before(&w->q, w->clone.job->depth, w->window.edge_ns);
}

static void set_edge(struct worker *w, enum window_edge edge, uint64_t ns)
{
	w->window.edge = edge;
	w->window.edge_ns = ns;
	w->observers.active = true;
}

/* Counts the I/Os in flight in the depth distribution of the window, at the levels of their submission.
   Writes that wait for their trims will be counted when they are submitted. */
static void count_levels(struct wcount *cnt, const struct io_queue *q, const struct plan_job *pj)
{
	unsigned held = pj->held_writes ? q->nready : 0;

	for (unsigned i = 0; i < pj->depth; i++)
		cnt->depth[q->ios[i].level]++;
	for (unsigned i = 0; i < q->nidle; i++)
		cnt->depth[q->idle[i]->level]--;
	for (unsigned i = 0; i < held; i++)
		cnt->depth[q->ready[i]->level]--;
}

void window_end_ramp(struct worker *w, uint64_t start)
{
	if (!w->window.cut) {
		set_edge(w, EDGE_FROM, start);
		return;
	}
	w->observers.active = true;
	count_levels(w->stats.cnt, &w->q, w->clone.job);
}

void window_end_runtime(struct worker *w)
{
	uint64_t end = w->clock.measure_end_ns;

	if (w->window.cut) {
		window_begin_cooldown(w, end);
		return;
	}
	schedule_end(w, end, true);
	w->sched.current->rate_min_check_ns = UINT64_MAX;
	w->clock.measure_end_ns = UINT64_MAX;
	set_edge(w, EDGE_UNTIL, end);
}

void window_idle(struct worker *w)
{
	if (w->window.edge == EDGE_UNTIL && !edge_in_flight(w))
		window_begin_cooldown(w, w->window.edge_ns);
}

void window_stop(struct worker *w)
{
	uint64_t end = w->clock.measure_end_ns, now = clock_ns();

	if (!w->window.cut || w->clock.in_cooldown || w->clock.in_ramp)
		return;
	if (clone_stopped(&w->clone))
		now = atomic_load_explicit(&w->clone.slot->stop_ns, memory_order_relaxed);
	if (now < end)
		end = now;
	window_begin_cooldown(w, end > w->clock.start_ns ? end : w->clock.start_ns);
}

static void use_outside(struct worker *w)
{
	w->stats.st = w->window.outside->st;
	w->stats.cnt = &w->window.outside->cnt;
	w->stats.files = NULL;
	w->clock.in_cooldown = true;
}

void window_begin_cooldown(struct worker *w, uint64_t end)
{
	phase_end_measurement(w, end);
	worker_usage_end(w, end);
	w->sched.current->rate_min_check_ns = UINT64_MAX;
	w->observers.active = w->observers.max_latency = false;
	w->window.edge = EDGE_NONE;
	w->clock.measure_end_ns = UINT64_MAX;
	use_outside(w);
	zones_count(&w->source, &w->clone, w->stats.cnt);
	clone_set_phase(&w->clone, PHASE_COOL);
}

static uint64_t count_ios(const struct wstat *st)
{
	uint64_t n = 0;

	for (unsigned d = 0; d < DIR_DATA; d++)
		n += st->total[d].ios;
	return n;
}

void window_note_slow_ios(const struct clone *c, struct wstat *st)
{
	const struct slot *s = c->slot;
	struct moments lat = { 0 };

	if (c->opts->time.ramp_only || count_ios(slot_stat(c->slot)) || !count_ios(st))
		return;
	wstat_fold(st, &c->job->layout);
	for (unsigned d = 0; d < DIR_DATA; d++)
		moments_merge(&lat, &st->dir[d].lat[LAT_LAT]);
	if (lat.n)
		clone_note(c,
			   "no I/O completed in the measured %.3f s; those that completed after it took %.3f "
			   "s on average: choose a longer runtime",
			   (double)(s->run_end_ns - s->run_start_ns) / 1e9, moments_mean(&lat) / 1e9);
}

unsigned window_sort(const struct window *win, struct io **ios, unsigned n)
{
	unsigned counting = 0;

	if (!win->edge)
		return n;
	for (unsigned i = 0; i < n; i++) {
		struct io *io = ios[i];

		if (began_before(io, win->edge_ns) != (win->edge == EDGE_UNTIL))
			continue;
		ios[i] = ios[counting];
		ios[counting++] = io;
	}
	return counting;
}

void window_check_edge(struct worker *w)
{
	if (!w->window.edge || edge_in_flight(w))
		return;
	if (w->window.edge == EDGE_UNTIL)
		window_begin_cooldown(w, w->clock.now_ns);
	w->window.edge = EDGE_NONE;
}

void window_discard(struct worker *w, struct io *const *ios, unsigned n)
{
	struct stats stats = w->stats;
	bool in_cooldown = w->clock.in_cooldown;

	use_outside(w);
	account_batch(w, ios, n);
	w->clock.in_cooldown = in_cooldown;
	w->stats = stats;
}

void window_fini(struct window *win, struct stats *s, const struct clone *c)
{
	if (!win->outside)
		return;
	s->st = slot_stat(c->slot);
	s->cnt = &c->slot->cnt;
	free(win->outside->st);
	free(win->outside);
	win->outside = NULL;
}
