/* steady_watch.h: decides in the parent whether the jobs of a report entry have reached their steady state
   (steadystate). It adds the samples of an entry's workers, and judges each sample once all workers have
   passed it. Pure: the caller brings the records. */
#ifndef STEADY_WATCH_H
#define STEADY_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include "plan.h"
#include "steady.h"

struct ival;
struct steady_watch;

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
