/* planned_assertions.h: the assertions of a run (--assert), checked against its plan. */
#ifndef PLANNED_ASSERTIONS_H
#define PLANNED_ASSERTIONS_H

#include "assertion.h"

struct job_set;
struct plan;

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

#endif
