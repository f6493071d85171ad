/* collect_self.h: what fiord itself used, and what that says of the figures. For collect.c. */
#ifndef COLLECT_SELF_H
#define COLLECT_SELF_H

#include "busy.h"
#include "cpu_throttle.h"
#include "plan.h"
#include "result.h"
#include "snapshot.h"

/* Of the entries that begin with one section: clones share a sentence. */
struct section_busy {
	struct busy busy;
	struct result_job *first; /* where it is told */
};

/* One worker of an entry; its snapshot is as run_snapshot gave it. */
void collect_busy(struct busy *b, const struct plan_job *pj, const struct snapshot *one);
/* What took processors away from the run since that look. */
void collect_cpuheld_notes(struct result *r, const struct cpu_throttle *from);
/* Of a rate: whether I/Os were waited for in sleeps. */
void collect_naps(struct result_job *rj, const struct plan_job *pj, const struct wcount *total);
/* I/Os of a rate that waited for their worker. */
void collect_stall(struct result_job *rj);
/* Says it; n: how many sections there are. */
void collect_busy_notes(struct section_busy *told, size_t n);

#endif
