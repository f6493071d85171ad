/* ticker.h: takes the workers' closed intervals while the run goes on and hands each record to who asked for
   it: the hooks, the samplers of bandwidth and I/O rate, the series. Private to run/. */
#ifndef TICKER_H
#define TICKER_H

#include "run.h"
#include "sampler.h"
#include "series.h"

struct ticker *ticker_new(const struct plan *p);
void ticker_free(struct ticker *t);
/* How often to drain: a few intervals of the shortest length, and seldom enough to cost nothing. */
uint64_t ticker_every_ns(const struct plan *p);
/* Takes what has been closed, but for what the hooks have no room for. */
void ticker_drain(struct ticker *t, const struct run *r);
/* All workers have ended: takes all, whatever room the hooks have. */
void ticker_finish(struct ticker *t, const struct run *r);

const struct samples *ticker_job(const struct ticker *t, enum track_use rate, uint32_t job);
const struct samples *ticker_report(const struct ticker *t, enum track_use rate, uint32_t report);
struct series *ticker_series(struct ticker *t);

#endif
