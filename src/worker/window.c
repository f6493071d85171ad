/* window.c: decides which I/Os count at both ends of the measured window.

   A window without a ramp begins with no I/O in flight. It ends when the last I/O completes: IOPS times mean
   latency is then the number of I/Os in flight. With a cooldown the window ends when the last I/O that began
   before the end of the runtime completes; I/Os that begin in the cooldown do not count.

   After a ramp the window begins with I/Os in flight. If time or a signal ends the window, I/Os are in flight
   at its end, too: the window is cut, and all I/Os that complete in it count. If the job ends after a fixed
   amount of work, or with an fsync, all I/Os that begin in the window count.

   The other I/Os go to separate statistics, which the parent never reads. */
#include <stdlib.h>
#include "account.h"
#include "clock.h"
#include "clone.h"
#include "phase.h"
#include "schedule.h"
#include "window.h"
#include "worker.h"
#include "worker_usage.h"

struct outside_stats {
	struct wcount cnt;
	struct wstat *st;
};

static bool drains(const struct worker *w)
{
	const struct time_cfg *t = &w->clone.opts->time;
	bool syncs = w->clone.opts->sync.end_fsync || w->clone.opts->sync.end_syncfs;

	return (!t->runtime_ns && !t->time_based) || (syncs && !window_has_cooldown(&w->clone.opts->time));
}

bool window_init(struct worker *w)
{
	const struct time_cfg *t = &w->clone.opts->time;

	w->window.cut = t->drop_late || t->ramp_only || (window_has_ramp(t) && !drains(w));
	if (!w->window.cut && !t->cooldown_ns && !window_has_ramp(t))
		return true;
	w->window.outside = calloc(1, sizeof(*w->window.outside));
	if (w->window.outside)
		w->window.outside->st = calloc(1, wstat_size(&w->clone.job->layout));
	if (!w->window.outside || !w->window.outside->st)
		return false;
	wstat_init(w->window.outside->st, &w->clone.job->layout);
	return true;
}

static bool before(const struct io *io, uint64_t ns)
{
	return io->start_ns && io->start_ns < ns;
}

/* Returns true if an I/O in flight began before `ns`. The queue may hold I/Os that completed short, too. */
static bool begun_before(const struct worker *w, uint64_t ns)
{
	for (unsigned i = 0; i < w->q.nready; i++)
		if (w->q.ready[i]->done && before(w->q.ready[i], ns))
			return true;
	for (unsigned i = 0; i < w->clone.job->depth; i++)
		if (w->q.ios[i].res == IO_IN_ENGINE && before(&w->q.ios[i], ns))
			return true;
	return false;
}

static void set_edge(struct worker *w, enum window_edge edge, uint64_t ns)
{
	w->window.edge = edge;
	w->window.edge_ns = ns;
	w->observers.any = true;
}

/* Counts the I/Os in flight in the depth distribution of the window, at the levels of their submission. */
static void carry_levels(struct worker *w)
{
	for (unsigned i = 0; i < w->clone.job->depth; i++)
		w->stats.cnt->depth[w->q.ios[i].level]++;
	for (unsigned i = 0; i < w->q.nidle; i++)
		w->stats.cnt->depth[w->q.idle[i]->level]--;
}

void window_ramp_over(struct worker *w, uint64_t start)
{
	if (!w->window.cut) {
		set_edge(w, EDGE_FROM, start);
		return;
	}
	w->observers.any = true;
	carry_levels(w);
}

void window_time_up(struct worker *w)
{
	uint64_t end = w->clock.measure_end_ns;

	if (w->window.cut) {
		window_begin_cooldown(w, end);
		return;
	}
	schedule_end(w, end);
	w->sched.current->rate_min_ns = UINT64_MAX;
	w->clock.measure_end_ns = UINT64_MAX;
	set_edge(w, EDGE_UNTIL, end);
}

void window_idle(struct worker *w)
{
	if (w->window.edge == EDGE_UNTIL && !begun_before(w, w->window.edge_ns))
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

void window_begin_cooldown(struct worker *w, uint64_t end)
{
	phase_measured(w, end);
	worker_usage_end(w, end);
	w->sched.current->rate_min_ns = UINT64_MAX;
	w->observers.any = w->observers.max_latency = false;
	w->window.edge = EDGE_NONE;
	w->stats.st = w->window.outside->st;
	w->stats.cnt = &w->window.outside->cnt;
	w->clock.measure_end_ns = UINT64_MAX;
	w->clock.in_cooldown = true;
	clone_set_phase(&w->clone, PHASE_COOL);
}

static uint64_t ios_of(const struct wstat *st)
{
	uint64_t n = 0;

	for (unsigned d = 0; d < DIR_DATA; d++)
		n += st->total[d].ios;
	return n;
}

void window_note_slow_ios(struct worker *w)
{
	const struct slot *s = w->clone.slot;
	struct moments lat = { 0 };

	if (!w->clock.in_cooldown || w->clone.opts->time.ramp_only || ios_of(slot_stat(w->clone.slot)) ||
	    !ios_of(w->stats.st))
		return;
	wstat_fold(w->stats.st, &w->clone.job->layout);
	for (unsigned d = 0; d < DIR_DATA; d++)
		moments_merge(&lat, &w->stats.st->dir[d].lat[LAT_LAT]);
	if (lat.n)
		clone_note(
			&w->clone,
			"no I/O completed in the measured %.3f s; those that completed after it took %.3f s "
			"on average: runtime has to be longer than that",
			(double)(s->run_end_ns - s->run_start_ns) / 1e9, moments_mean(&lat) / 1e9);
}

unsigned window_sort(struct worker *w, unsigned n)
{
	unsigned at = 0;

	for (unsigned i = 0; i < n && w->window.edge; i++) {
		struct io *io = w->q.reaped[i];

		if (before(io, w->window.edge_ns) != (w->window.edge == EDGE_UNTIL))
			continue;
		w->q.reaped[i] = w->q.reaped[at];
		w->q.reaped[at++] = io;
	}
	return w->window.edge ? at : n;
}

void window_check_edge(struct worker *w)
{
	if (!w->window.edge || begun_before(w, w->window.edge_ns))
		return;
	if (w->window.edge == EDGE_UNTIL)
		window_begin_cooldown(w, w->clock.now_ns);
	w->window.edge = EDGE_NONE;
}

void window_discard(struct worker *w, struct io *const *ios, unsigned n)
{
	bool in_cooldown = w->clock.in_cooldown;
	struct wstat *st = w->stats.st;
	struct wcount *cnt = w->stats.cnt;

	w->clock.in_cooldown = true;
	w->stats.st = w->window.outside->st;
	w->stats.cnt = &w->window.outside->cnt;
	account_batch(w, ios, n);
	w->clock.in_cooldown = in_cooldown;
	w->stats.st = st;
	w->stats.cnt = cnt;
}

void window_fini(struct worker *w)
{
	if (!w->window.outside)
		return;
	w->stats.st = slot_stat(w->clone.slot);
	w->stats.cnt = &w->clone.slot->cnt;
	free(w->window.outside->st);
	free(w->window.outside);
	w->window.outside = NULL;
}
