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
	struct wstat *st = w->cool->st;

	loop_measured(w, w->measure_end_ns);
	worker_mark_end(w, w->measure_end_ns);
	for (int d = 0; d < DIR_COUNT; d++) { /* for the progress line they go on */
		st->dir[d].ios = w->st->dir[d].ios;
		st->dir[d].bytes = w->st->dir[d].bytes;
	}
	w->st = st;
	w->cnt = &w->cool->cnt;
	w->measure_end_ns = UINT64_MAX;
	w->cooling = true;
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
