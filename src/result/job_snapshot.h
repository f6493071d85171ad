/* job_snapshot.h: makes a snapshot of the counts of a job, and sets a job from a snapshot. So results that
   were read from files can be added up, and summary_from computes their figures as it does for a run. */
#ifndef JOB_SNAPSHOT_H
#define JOB_SNAPSHOT_H

#include "result.h"

/* Fills `snap` (snap_init is called here) from the counts and bins of a job. A latency without bins has no
   histogram, and without known counts everything is zero. Returns 0 or -ENOMEM. */
int result_snapshot(const struct result_job *job, struct snapshot *snap);
/* Sets *to to the bins of a histogram, in memory of r. */
void result_set_bins(struct result *r, struct result_bins *to, const struct hist *h);
/* Sets the percentiles and the bins of a part, whose maximum is known. */
void result_set_split_part(struct result *r, struct result_split_part *part, const struct hist *h);
/* The inverse of result_snapshot: fills in the figures, counts, priorities and, with `bins`, the bins of
   `job`, which is one of r. With job->both it computes the sum of all directions as well. Returns 0 or
   -ENOMEM. */
int result_set_snapshot(struct result *r, struct result_job *job, const struct snapshot *snap,
			const struct summary_cfg *cfg, bool bins);

#endif
