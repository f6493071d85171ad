/* cooldown.c: which I/Os count, at both ends of the measured window.

   A window without a ramp begins with no I/O in flight. It ends when the last I/O is back: IOPS times mean
   latency is then the number in flight. With a cooldown that is when the last I/O that began before the end
   of the runtime is back; I/Os of the cooldown do not count.

   After a ramp the window begins with I/Os in flight. If time or a signal ends it there are I/Os in flight at
   its end, too: it is cut, and what completes in it counts. If the job ends when everything is done, or with
   an fsync, what begins in it counts.

   I/Os that do not count are counted in memory that nobody reads. */
#include <stdlib.h>
#include "account.h"
#include "clock.h"
#include "worker.h"

struct cooldown {
	struct wcount cnt;
	struct wstat *st;
};

static bool drains(const struct worker *w)
{
	const struct time_cfg *t = &w->o->time;
	bool syncs = w->o->sync.end_fsync || w->o->sync.end_syncfs;

	return (!t->runtime_ns && !t->time_based) || (syncs && !cooldown_wanted(w));
}

bool cooldown_init(struct worker *w)
{
	const struct time_cfg *t = &w->o->time;

	w->window_cut = t->cut || t->ramp_only || (ramp_wanted(w) && !drains(w));
	if (!w->window_cut && !t->cooldown_ns && !ramp_wanted(w))
		return true;
	w->cool = calloc(1, sizeof(*w->cool));
	if (w->cool)
		w->cool->st = calloc(1, wstat_size(&w->pj->layout));
	if (!w->cool || !w->cool->st)
		return false;
	wstat_init(w->cool->st, &w->pj->layout);
	return true;
}

static bool before(const struct io *io, uint64_t ns)
{
	return io->start_ns && io->start_ns < ns;
}

/* Whether an I/O in flight began before the edge. One that came back short may wait in the queue. */
static bool begun_before(const struct worker *w, uint64_t ns)
{
	for (unsigned i = 0; i < w->nqueue; i++)
		if (w->queue[i]->done && before(w->queue[i], ns))
			return true;
	for (unsigned i = 0; i < w->pj->depth; i++)
		if (w->ios[i].res == IO_IN_ENGINE && before(&w->ios[i], ns))
			return true;
	return false;
}

static void set_edge(struct worker *w, enum window_edge edge, uint64_t ns)
{
	w->edge = edge;
	w->edge_ns = ns;
	w->watched = true;
}

/* The depth levels of the I/Os in flight. */
static void carry_levels(struct worker *w)
{
	for (unsigned i = 0; i < w->pj->depth; i++)
		w->cnt->depth[w->ios[i].level]++;
	for (unsigned i = 0; i < w->nfree; i++)
		w->cnt->depth[w->free_io[i]->level]--;
}

void cool_ramp_over(struct worker *w, uint64_t start)
{
	if (!w->window_cut) {
		set_edge(w, EDGE_FROM, start);
		return;
	}
	w->watched = true;
	carry_levels(w);
}

void cool_time_up(struct worker *w)
{
	uint64_t end = w->measure_end_ns;

	if (w->window_cut) {
		cooldown_begin(w, end);
		return;
	}
	schedule_end(w, end);
	w->schedule->floor_ns = UINT64_MAX;
	w->measure_end_ns = UINT64_MAX;
	set_edge(w, EDGE_UNTIL, end);
}

void cool_idle(struct worker *w)
{
	if (w->edge == EDGE_UNTIL && !begun_before(w, w->edge_ns))
		cooldown_begin(w, w->edge_ns);
}

void cool_stop(struct worker *w)
{
	uint64_t end = w->measure_end_ns, now = clock_ns();

	if (!w->window_cut || w->cooling || w->ramping)
		return;
	if (worker_stopped(w))
		now = atomic_load_explicit(&w->slot->stop_ns, memory_order_relaxed);
	if (now < end)
		end = now;
	cooldown_begin(w, end > w->phase_start_ns ? end : w->phase_start_ns);
}

void cooldown_begin(struct worker *w, uint64_t end)
{
	loop_measured(w, end);
	worker_mark_end(w, end);
	w->schedule->floor_ns = UINT64_MAX;
	w->watched = w->watch_latency = false;
	w->edge = EDGE_NONE;
	w->st = w->cool->st;
	w->cnt = &w->cool->cnt;
	w->measure_end_ns = UINT64_MAX;
	w->cooling = true;
	worker_phase(w, PHASE_COOL);
}

static uint64_t ios_of(const struct wstat *st)
{
	uint64_t n = 0;

	for (unsigned d = 0; d < DIR_DATA; d++)
		n += st->late[d].ios;
	return n;
}

void cool_note(struct worker *w)
{
	const struct slot *s = w->slot;
	struct moments lat = { 0 };

	if (!w->cooling || w->o->time.ramp_only || ios_of(slot_stat(w->slot)) || !ios_of(w->st))
		return;
	wstat_fold(w->st, &w->pj->layout);
	for (unsigned d = 0; d < DIR_DATA; d++)
		moments_merge(&lat, &w->st->dir[d].lat[LAT_LAT]);
	if (lat.n)
		worker_note(
			w,
			"no I/O completed in the measured %.3f s; those that completed after it took %.3f s "
			"on average: runtime has to be longer than that",
			(double)(s->run_end_ns - s->run_start_ns) / 1e9, moments_mean(&lat) / 1e9);
}

unsigned cool_sort(struct worker *w, unsigned n)
{
	unsigned at = 0;

	for (unsigned i = 0; i < n && w->edge; i++) {
		struct io *io = w->batch[i];

		if (before(io, w->edge_ns) != (w->edge == EDGE_UNTIL))
			continue;
		w->batch[i] = w->batch[at];
		w->batch[at++] = io;
	}
	return w->edge ? at : n;
}

void cool_look(struct worker *w)
{
	if (!w->edge || begun_before(w, w->edge_ns))
		return;
	if (w->edge == EDGE_UNTIL)
		cooldown_begin(w, w->now_ns);
	w->edge = EDGE_NONE;
}

void cool_discard(struct worker *w, struct io *const *ios, unsigned n)
{
	bool cooling = w->cooling;
	struct wstat *st = w->st;
	struct wcount *cnt = w->cnt;

	w->cooling = true;
	w->st = w->cool->st;
	w->cnt = &w->cool->cnt;
	account_batch(w, ios, n);
	w->cooling = cooling;
	w->st = st;
	w->cnt = cnt;
}

void cooldown_fini(struct worker *w)
{
	if (!w->cool)
		return;
	w->st = slot_stat(w->slot);
	w->cnt = &w->slot->cnt;
	free(w->cool->st);
	free(w->cool);
	w->cool = NULL;
}
