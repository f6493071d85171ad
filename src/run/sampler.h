/* sampler.h: samples of one rate (bandwidth or IOPS): of each job from its intervals, and of each entry of
   the report from sums of its members' intervals, aligned in time. */
#ifndef SAMPLER_H
#define SAMPLER_H

#include <stdbool.h>
#include "interval.h"
#include "plan.h"
#include "samples.h"

struct sampler;

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

#endif
