/* run_snapshot.h: copies of the workers' numbers, during the run and after it. */
#ifndef RUN_SNAPSHOT_H
#define RUN_SNAPSHOT_H

#include <stdint.h>
#include "samples.h"
#include "snapshot.h"

struct run;
struct series;

/* During the run, call run_snapshot between these two, best in the order of the report's entries and of the
   jobs within each. run_live_begin also takes the intervals that the workers have closed so far. */
void run_live_begin(struct run *r);
void run_live_end(struct run *r);

/* Fills snap with the numbers of one job, final or so far; the caller calls snap_fini. Returns 0 or
   -ENOMEM. */
int run_snapshot(const struct run *r, uint32_t job, struct snapshot *snap);
/* Returns the time series of the run; the run owns it. */
struct series *run_series(const struct run *r);
/* Copies the samples of bandwidth and IOPS of all members of one entry of the report, aligned in time. */
void run_report_samples(const struct run *r, uint32_t report, struct samples bw[SAMPLE_ROWS],
			struct samples iops[SAMPLE_ROWS]);

#endif
