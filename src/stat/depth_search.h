/* depth_search.h: searches for the greatest queue depth at which enough I/Os stay within a latency
   (latency_target). Pure: the caller counts I/Os and brings the time.

   Each step tries a depth for a window. The window begins when the first I/O that started at this depth has
   completed. The search begins with the greatest depth and halves it until a depth meets the target; then it
   bisects the depths between the last two. With latency_run a later search begins when the depth found misses
   the target. After some windows that met the target, the search tries the next greater depth. */
#ifndef DEPTH_SEARCH_H
#define DEPTH_SEARCH_H

#include <stdbool.h>
#include <stdint.h>
#include "hist.h"

struct latency_target_cfg {
	uint64_t target_ns; /* 0: no search */
	uint64_t window_ns;
	double percentile; /* share of the I/Os that must take no longer than the target */
	bool run;          /* latency_run: adjusts the depth until the end */
};

struct depth_step {
	uint32_t depth;
	bool met;
	uint64_t ios, within; /* I/Os that count, and those of them within the target */
	uint64_t completed;   /* I/Os that completed in the window, with those in flight at its beginning */
	uint64_t lat_ns;      /* the latency_percentile of their latencies; 100: the longest */
	uint64_t ns;          /* length of the window */
};

#define DEPTH_STEPS 64 /* the steps in memory; new ones overwrite the oldest */
struct depth_search {
	struct latency_target_cfg cfg;
	uint32_t depth, max;
	uint32_t low, high;   /* depths that met (0: none yet) and missed (max + 1: none yet) the target */
	uint32_t windows_met; /* windows in which the depth found met the target, one after the other */
	bool found;           /* low is the depth; 0: not even depth 1 meets the target */
	uint32_t last_found;  /* the depth found last; 0: not even depth 1 met the target */
	bool ever_found;      /* some search has found its depth; later ones may go on */
	bool stopped;         /* time was up before it was found */
	bool window_begun;    /* the window has begun */
	uint64_t change_ns, window_ns;
	/* Of this window. end_ns is the time of its last I/O. */
	uint64_t ios, within, completed, lat_max_ns, end_ns;
	struct hist lat;
	uint64_t nsteps;
	struct depth_step steps[DEPTH_STEPS];
};

void depth_search_init(struct depth_search *s, const struct latency_target_cfg *c, uint32_t max);
/* Begins a step: I/Os that start from now on count. */
void depth_search_begin(struct depth_search *s, uint64_t now_ns);
/* Counts a completed I/O. */
static inline void depth_search_add(struct depth_search *s, uint64_t start_ns, uint64_t now_ns)
{
	if (s->window_begun) {
		s->completed++;
		s->end_ns = now_ns;
	}
	if (start_ns < s->change_ns)
		return;
	if (!s->window_begun) {
		s->window_begun = true;
		s->window_ns = s->change_ns = now_ns;
		return;
	}
	s->ios++;
	s->within += now_ns - start_ns <= s->cfg.target_ns;
	s->lat_max_ns = now_ns - start_ns > s->lat_max_ns ? now_ns - start_ns : s->lat_max_ns;
	hist_add(&s->lat, now_ns - start_ns);
}
/* Ends the search with the greatest depth that has met the target or, if there is none, the current depth. */
void depth_search_stop(struct depth_search *s, uint64_t now_ns);
/* Judges the window if it is over, and may change the depth. Returns whether it was over. */
bool depth_search_judge(struct depth_search *s, uint64_t now_ns);
/* Returns the window that answers the search: the one that was measured after it; with latency_run the last
   one that met the target, or the last one if the search found that no depth meets it. If there is no such
   window, the step has no I/Os. */
struct depth_step depth_search_answer(const struct depth_search *s);

#endif
