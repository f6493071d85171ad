/* collect_prio.h: the priorities of one entry of the report. For collect.c. */
#ifndef COLLECT_PRIO_H
#define COLLECT_PRIO_H

#include "plan.h"
#include "result.h"

/* Returns the layout of the first member whose I/Os have priorities of their own; NULL if there is none. The
   I/Os of other members then count under the priority of their worker. */
const struct wstat_layout *collect_prio_layout(const struct plan *p, uint32_t report);
/* Fills in rj->prio from total; rj->sum is complete. bins: also the buckets of the histograms. Returns 0 or
   -ENOMEM; call collect_prios_free in any case. */
int collect_prios(struct result_job *rj, const struct snapshot *total, const struct summary_cfg *cfg,
		  bool bins);
/* Copies the buckets of h, for json+. The caller frees to->ns, which holds to->count, too. Returns 0 or
   -ENOMEM. */
int collect_bins(struct result_bins *to, const struct hist *h);
void collect_prios_free(struct result_job *rj);

#endif
