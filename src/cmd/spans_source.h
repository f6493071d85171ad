/* spans_source.h: finds the DISKSPD profile in whose form a run is reported, before the run. */
#ifndef SPANS_SOURCE_H
#define SPANS_SOURCE_H

#include "collect_spans.h"
#include "machine.h"

/* Finds the profile if an output format needs it. Returns 0, or -errno with d if the jobs have no counterpart
   in DISKSPD. */
int spans_source_init(struct spans_source *s, const struct plan *p, const struct machine *m, struct diag *d);
void spans_source_fini(struct spans_source *s);

#endif
