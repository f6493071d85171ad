/* ticker.h: takes the workers' closed intervals out of their rings while the run goes on, and passes each
   record to the hooks, the samplers of bandwidth and IOPS, and the series. */
#ifndef TICKER_H
#define TICKER_H

#include <stdbool.h>
#include <stdint.h>
#include "plan.h"
#include "sampler.h"

struct run;
struct series;
struct steady_window;
struct ticker;

/* Returns NULL if memory is short. */
struct ticker *ticker_new(const struct plan *p);
void ticker_free(struct ticker *t);
/* Returns how often to call ticker_drain: every few intervals of the shortest length, but seldom enough that
   it costs little. */
uint64_t ticker_every_ns(const struct plan *p);
/* Takes the closed intervals, except those for which the hooks have no room. */
void ticker_drain(struct ticker *t, const struct run *r);
/* Call it when all workers have ended: takes all intervals, whether the hooks have room or not. */
void ticker_finish(struct ticker *t, const struct run *r);

/* Return SAMPLE_ROWS samples each; the ticker owns them. rate: TRACK_BW or TRACK_IOPS. */
const struct samples *ticker_job(const struct ticker *t, enum track_use rate, uint32_t job);
const struct samples *ticker_report(const struct ticker *t, enum track_use rate, uint32_t report);
struct series *ticker_series(struct ticker *t);
/* steadystate: returns true once for each report entry that has become steady, and sets *report to it. */
bool ticker_next_steady(struct ticker *t, uint32_t *report);
/* Returns the window of a report entry; NULL if it has no criterion. */
const struct steady_window *ticker_steady(const struct ticker *t, uint32_t report);

#endif
