/* collect_host_limits.h: notes about limits of the host that distort the figures: a busy CPU, quotas, stalls.
 * For collect.c. */
#ifndef COLLECT_HOST_LIMITS_H
#define COLLECT_HOST_LIMITS_H

#include "busy.h"
#include "cpu_throttle.h"
#include "plan.h"
#include "result.h"
#include "snapshot.h"

/* The CPU use of all entries of one section, which share one note. */
struct section_busy {
	struct busy busy;
	struct result_job *first; /* the entry that gets the note */
};

/* Adds one worker, with its snapshot from run_snapshot. */
void collect_busy(struct busy *b, const struct plan_job *pj, const struct snapshot *one);
/* Adds notes about CPU time that a quota or a hypervisor took from the run since `from` was read. */
void collect_cpu_throttle_notes(struct result *r, const struct cpu_throttle *from);
/* Adds a note if a job with a rate slept between I/Os and issued several at once. */
void collect_rate_sleeps(struct result_job *rj, const struct plan_job *pj, const struct wcount *total);
/* Adds a note if some of the job's CPU time is its share of threads that worked for several jobs. */
void collect_divided_time(struct result_job *rj, const struct wcount *total);
/* Adds a note if I/Os of a rate were issued late because the worker did not run. */
void collect_stall(struct result_job *rj);
/* Adds a note if more than a hundredth of the I/Os that were due were not complete at the end. */
void collect_unfinished(struct result_job *rj);
/* Adds a note for each section that was limited by the CPU. n: number of sections. */
void collect_busy_notes(struct section_busy *sections, size_t n);

#endif
