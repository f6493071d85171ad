/* collect_spans.h: plan and run -> the time spans of DISKSPD's reports (spans.h). A wave of jobs is a time
   span, and a worker is a thread. */
#ifndef COLLECT_SPANS_H
#define COLLECT_SPANS_H

#include "profile.h"
#include "result.h"
#include "run.h"
#include "wave_usage.h"
#include "target_storage.h"

/* The profile that is run, known before the run. Zeroed: DISKSPD's reports are not wanted. */
struct spans_source {
	const struct ds_profile *profile; /* of the DISKSPD line, or ... */
	struct ds_profile derived;        /* ... derived from the jobs */
	struct notes dropped;             /* options that the derived profile cannot express */
	struct wave_usage *cpus;          /* NULL: not measured */
};

/* Adds the time spans to r, which collect has filled and which points into s from then on. Without a profile
   it does nothing. Returns 0 or -ENOMEM. */
int collect_spans(struct result *r, const struct spans_source *s, const struct plan *p, const struct run *run,
		  const struct target_storage *storage);

#endif
