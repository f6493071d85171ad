/* cool.c: the I/O goes on after the measurement, and nothing of it counts (cooldown): counters go into memory
   that nobody reads. What is begun before the end of the measurement and comes back afterwards does not count
   either. */
#include <stdlib.h>
#include "worker.h"

struct cool {
	struct wcount cnt;
	struct wstat *st;
};

bool cool_init(struct worker *w)
{
	if (!cool_wanted(w))
		return true;
	w->cool = calloc(1, sizeof(*w->cool));
	if (w->cool)
		w->cool->st = calloc(1, wstat_size(&w->pj->layout));
	if (!w->cool || !w->cool->st)
		return false;
	wstat_init(w->cool->st, &w->pj->layout);
	return true;
}

void cool_begin(struct worker *w)
{
	loop_measured(w, w->measure_end_ns);
	worker_mark_end(w, w->measure_end_ns);
	w->arrive->floor_ns = UINT64_MAX;
	w->watched = w->watch_latency = false;
	w->st = w->cool->st;
	w->cnt = &w->cool->cnt;
	w->measure_end_ns = UINT64_MAX;
	w->cooling = true;
	worker_phase(w, PHASE_COOL);
}

void cool_fini(struct worker *w)
{
	if (!w->cool)
		return;
	w->st = slot_stat(w->slot);
	w->cnt = &w->slot->cnt;
	free(w->cool->st);
	free(w->cool);
	w->cool = NULL;
}
