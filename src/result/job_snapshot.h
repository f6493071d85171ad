/* job_snapshot.h: a job of a result -> the snapshot of its counts, and back. So results that were read from
   files can be added, and summary_from computes their figures as those of a run. */
#ifndef JOB_SNAPSHOT_H
#define JOB_SNAPSHOT_H

#include "result.h"

/* Fills `snap` (snap_init is called here) from the counts and bins of a job. A latency without bins has no
   histogram, and without known counts everything is zero. Returns 0 or -ENOMEM. */
int result_snapshot(const struct result_job *job, struct snapshot *snap);
/* Fills in the figures, counts, priorities and with `bins` the bins of `job`, which is one of r, from a
   snapshot; the inverse of result_snapshot. With job->both it computes the sum of all directions as well.
   Returns 0 or -ENOMEM. */
int result_set_snapshot(struct result *r, struct result_job *job, const struct snapshot *snap,
			const struct summary_cfg *cfg, bool bins);

#endif
