/* planning.h: from a job set to its plan: looks at the targets, plans, warns, and checks the files that the
   run would write beside its targets. Nothing is written or forked, so a refusal leaves no trace. */
#ifndef PLANNING_H
#define PLANNING_H

#include "assertion.h"
#include "collect_spans.h"
#include "diag.h"
#include "plan.h"

/* planned_assertions.c: the assertions of a run (--assert), checked against its plan. */
struct planned_assertions {
	struct assertions list;
	struct assertion_facts facts; /* of the jobs, in the order of the result; empty without assertions */
};
/* Parses the assertions alone. Returns 0 or -errno with d. */
int planned_assertions_parse(struct assertions *list, const struct job_set *set, struct diag *d);
/* Fills the zeroed *p. Returns 0, or -errno with d: an assertion cannot be parsed, or no job has its figure.
   Call planned_assertions_fini in any case; plan must outlive p. */
int planned_assertions_init(struct planned_assertions *p, const struct plan *plan, struct diag *d);
void planned_assertions_fini(struct planned_assertions *p);

struct planning {
	const struct job_set *set;
	struct facts facts;
	struct plan plan;
	struct spans_source spans; /* the DISKSPD profile in whose form the run is reported */
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
