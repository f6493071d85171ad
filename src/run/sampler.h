/* sampler.h: one rate (bandwidth or I/Os) sampled: per job from its intervals, and per entry of the report
   from time-aligned sums of its members' intervals. Private to run/. */
#ifndef SAMPLER_H
#define SAMPLER_H

#include <stdbool.h>
#include "interval.h"
#include "plan.h"
#include "samples.h"

struct sampler;

/* use: TRACK_BW or TRACK_IOPS. NULL when memory is short. */
struct sampler *sampler_new(const struct plan *p, enum track_use use);
void sampler_free(struct sampler *s);
/* A record of this job, whose first interval began late_ns after its wave. Only of the track that it uses. */
void sampler_take(struct sampler *s, uint32_t job, uint64_t late_ns, const struct ival *rec);
/* The job has no more of them. */
void sampler_over(struct sampler *s, uint32_t job);
/* Samples what no job that still runs can add to. */
void sampler_settle(struct sampler *s);
/* All jobs are over. */
void sampler_finish(struct sampler *s);

/* SAMPLE_ROWS each. */
const struct samples *sampler_job(const struct sampler *s, uint32_t job);
const struct samples *sampler_report(const struct sampler *s, uint32_t report);

#endif
