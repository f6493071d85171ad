/* ticker.h: takes the workers' closed intervals out of their rings while the run goes on, and passes each
   record to the hooks, the samplers of bandwidth and IOPS, and the series. */
#ifndef TICKER_H
#define TICKER_H

#include <stdint.h>
#include "plan.h"
#include "sampler.h"

struct run;
struct series;
struct ticker;

/* NULL when memory is short. */
struct ticker *ticker_new(const struct plan *p);
void ticker_free(struct ticker *t);
/* How often to call ticker_drain: every few intervals of the shortest length, but rarely enough to cost
   nothing. */
uint64_t ticker_every_ns(const struct plan *p);
/* Takes the closed intervals, except those that the hooks have no room for. */
void ticker_drain(struct ticker *t, const struct run *r);
/* All workers have ended: takes all intervals, without asking the hooks for room. */
void ticker_finish(struct ticker *t, const struct run *r);

/* rate: TRACK_BW or TRACK_IOPS. SAMPLE_ROWS each; the ticker owns them. */
const struct samples *ticker_job(const struct ticker *t, enum track_use rate, uint32_t job);
const struct samples *ticker_report(const struct ticker *t, enum track_use rate, uint32_t report);
struct series *ticker_series(struct ticker *t);

#endif
