/* collect_plan.h: plan -> result: workers, waves, seeds, needed space, and files that are overwritten. */
#ifndef COLLECT_PLAN_H
#define COLLECT_PLAN_H

struct plan;
struct result;

/* If memory is short, some of it is missing. */
void collect_plan(struct result *r, const struct plan *p);

#endif
