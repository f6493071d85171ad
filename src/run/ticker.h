/* ticker.h: takes the workers' closed intervals while the run goes on and turns them into samples: per job,
   and per entry of the report from time-aligned sums. Private to run/. */
#ifndef TICKER_H
#define TICKER_H

#include "run.h"

struct ticker *ticker_new(const struct plan *p);
void ticker_free(struct ticker *t);
/* Takes what has been closed. Call at least every few seconds. */
void ticker_drain(struct ticker *t, const struct run *r);
/* All workers have ended. */
void ticker_finish(struct ticker *t, const struct run *r);

const struct samples *ticker_job_bw(const struct ticker *t, uint32_t job);
const struct samples *ticker_job_iops(const struct ticker *t, uint32_t job);
const struct samples *ticker_report_bw(const struct ticker *t, uint32_t report);
const struct samples *ticker_report_iops(const struct ticker *t, uint32_t report);

#endif
