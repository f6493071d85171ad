/* ticker.h: takes the workers' closed intervals out of their rings while the run goes on, and passes each
   record to the hooks, the samplers of bandwidth and IOPS, and the series. */
#ifndef TICKER_H
#define TICKER_H

#include <stdbool.h>
#include <stdint.h>
#include "interval.h"
#include "plan.h"
#include "samples.h"
#include "steady.h"

struct run;
struct sampler;
struct series;
struct steady_watch;
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

/* sampler.c: samples of one rate (bandwidth or IOPS): of each job from its intervals, and of each entry of
   the report from sums of its members' intervals, aligned in time. */

/* use: TRACK_BW or TRACK_IOPS. Returns NULL if memory is short. */
struct sampler *sampler_new(const struct plan *p, enum track_use use);
void sampler_free(struct sampler *s);
/* Adds a record of the job's track for this rate. The job's first interval began late_ns after its wave. */
void sampler_add(struct sampler *s, uint32_t job, uint64_t late_ns, const struct ival *rec);
/* Call it after the last record of a job. */
void sampler_job_ended(struct sampler *s, uint32_t job);
/* Samples the intervals that all running jobs have passed. */
void sampler_flush(struct sampler *s);
/* Call it when all jobs have ended: samples the rest. */
void sampler_finish(struct sampler *s);

/* Return SAMPLE_ROWS samples each; the sampler owns them. */
const struct samples *sampler_job(const struct sampler *s, uint32_t job);
const struct samples *sampler_report(const struct sampler *s, uint32_t report);

/* steady_watch.c: decides in the parent whether the jobs of a report entry have reached their steady state
   (steadystate). It adds the samples of an entry's workers, and judges each sample once all workers have
   passed it. Pure: the caller brings the records. */

/* Returns whether some job of the plan ends in its steady state. */
bool steady_watch_wanted(const struct plan *p);
/* Returns NULL if memory is short. */
struct steady_watch *steady_watch_new(const struct plan *p);
void steady_watch_free(struct steady_watch *w);
/* Adds a record of the job's TRACK_STEADY. late_ns: how long after its wave its measurement began. */
void steady_watch_add(struct steady_watch *w, uint32_t job, uint64_t late_ns, const struct ival *rec);
void steady_watch_job_ended(struct steady_watch *w, uint32_t job);
/* Judges the samples that all workers have passed. */
void steady_watch_judge(struct steady_watch *w);
/* Returns true once for each entry that has become steady, and sets *report to it. */
bool steady_watch_next(struct steady_watch *w, uint32_t *report);
/* Returns the window of an entry; NULL if it has no criterion. */
const struct steady_window *steady_watch_window(const struct steady_watch *w, uint32_t report);

#endif
