/* planning.h: from a job set to its plan: looks at the targets, plans, warns, and checks the files that the
   run would write beside its targets. Nothing is written or forked, so a refusal leaves no trace. */
#ifndef PLANNING_H
#define PLANNING_H

#include "diag.h"
#include "plan.h"
#include "planned_assertions.h"
#include "spans_source.h"

struct planning {
	const struct job_set *set;
	struct facts facts;
	struct plan plan;
	struct spans_source spans;
	struct planned_assertions assertions;
};

/* *p is overwritten. Returns 0, or -errno with d: the job set is refused. Call planning_fini in any case; set
   must outlive p. */
int planning_init(struct planning *p, const struct job_set *set, struct diag *d);
void planning_fini(struct planning *p);
/* Passes the plan of a job set on. Returns 0 or -errno with d. */
int planning_use(const struct job_set *set, int (*use)(void *ctx, struct plan *p, struct diag *d), void *ctx,
		 struct diag *d);

#endif
