/* collect_plan.h: plan -> result: workers, waves, seeds, needed space, and files that are overwritten. */
#ifndef COLLECT_PLAN_H
#define COLLECT_PLAN_H

struct plan;
struct result;

/* Memory that is short leaves something out. */
void collect_plan(struct result *r, const struct plan *p);

#endif
