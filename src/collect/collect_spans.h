/* collect_spans.h: plan and run -> the time spans that DISKSPD's reports tell (spans.h). A wave of jobs is a
   time span, a worker a thread. */
#ifndef COLLECT_SPANS_H
#define COLLECT_SPANS_H

#include "profile.h"
#include "result.h"
#include "run.h"
#include "wave_usage.h"
#include "target_storage.h"

/* Before the run: which profile it is. Zeroed: none is told. */
struct spans_source {
	const struct ds_profile *profile; /* of the DISKSPD line, or ... */
	struct ds_profile own;            /* ... made of the jobs */
	struct notes lost;                /* what that one does not say of them */
	struct wave_usage *cpus;          /* NULL: not measured */
};

/* Adds the spans to r (of collect), which points into s from then on. Nothing without a profile. 0
   or -ENOMEM. */
int collect_spans(struct result *r, const struct spans_source *s, const struct plan *p, const struct run *run,
		  const struct target_storage *storage);

#endif
