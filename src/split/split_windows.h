/* split_windows.h: when a sample of a fast worker's requests is measured. Time is divided into cycles. Each
   has one window, at a random place, so that loads with a period meet it like others. The window stands for
   its cycle. If the programs measure nothing outside of windows, they are detached there: an attached program
   costs 20 to 40 ns each time, even if it returns at once.

   A request that was queued in a window is followed until it completes, or for SPLIT_FOLLOW_NS. */
#ifndef SPLIT_WINDOWS_H
#define SPLIT_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "rng.h"
#include "split.h"
#include "split_maps.h"

#define SPLIT_WINDOW_NS UINT64_C(10000000)
#define SPLIT_CYCLE_NS  (SPLIT_WEIGHT * SPLIT_WINDOW_NS)
#define SPLIT_FOLLOW_NS UINT64_C(2000000000)

/* The caller sets the first members, and zeroes the others. */
struct split_windows {
	/* Values of the maps, which the programs change. */
	struct split_state *state;
	struct split_thread *threads;
	struct split_set *requests;
	uint32_t nthreads, nsets;
	uint8_t phase;     /* the value of a worker's phase while it is measured; later ones are greater */
	double fast_per_s; /* the most bios a second of slow workers; those of one CPU share it */
	uint32_t cpus;

	uint64_t due_ns;   /* when split_windows_tick is to be called; 0: not yet known */
	uint64_t begin_ns; /* of the cycle. While all requests are measured: when the rates were checked */
	uint64_t plan_ns;  /* when the window is to open; 0: all requests are measured */
	bool opened;       /* the window of this cycle has opened */
	bool mixed;        /* a slow worker runs beside fast ones, so the programs stay attached */
	bool ready;        /* the window is to open now */
	uint64_t outlived; /* requests that did not complete in SPLIT_FOLLOW_NS */
	struct rng rng;
};

/* Call it when the programs were attached: they have not seen bios that were queued earlier. */
void split_windows_attached(struct split_windows *w, uint64_t now);
/* Measures all requests until the rates are known again. Call it after workers were added. */
void split_windows_restart(struct split_windows *w, uint64_t now);
/* Returns whether the programs are to be attached now. */
bool split_windows_tick(struct split_windows *w, uint64_t now);
/* Call it after each tick, when the programs are attached as it said: opens the window if it is due. */
void split_windows_open(struct split_windows *w, uint64_t now);
/* Returns what was seen of the I/Os of the key's entry in its direction, if a sample of them was measured. */
struct split_sample split_windows_sample(const struct split_windows *w, const struct split_key *key);

#endif
