/* collect_prio.h: the priorities of one entry of the report. For collect.c. */
#ifndef COLLECT_PRIO_H
#define COLLECT_PRIO_H

#include "plan.h"
#include "result.h"

/* What the first member that gives single I/Os priorities measures; NULL if none does. Else the I/Os of the
   others count as those of their workers' priorities. */
const struct wstat_layout *collect_prio_layout(const struct plan *p, uint32_t report);
/* Fills in rj->prio, which points to memory until collect_prios_free. rj->sum is complete. bins: with the
   histograms' buckets. 0 or -ENOMEM. */
int collect_prios(struct result_job *rj, const struct snapshot *total, const struct summary_cfg *cfg,
		  bool bins);
/* The buckets of h, for json+; the caller frees to->ns. 0 or -ENOMEM. */
int collect_bins(struct result_bins *to, const struct hist *h);
void collect_prios_free(struct result_job *rj);

#endif
