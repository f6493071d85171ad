/* window.h: the figures of the window in which a job was steady (steadystate), from the series of its run.
   Pure. */
#ifndef SWEEP_WINDOW_H
#define SWEEP_WINDOW_H

#include "curve.h"

/* Replaces the counts, rates and latencies of a group by those of the last window of its steadystate.
   Latencies come from the intervals of the series whose middle lies in the window, or has its middle; without
   a series they are not known. It does nothing unless the group has one report entry, which has a criterion
   and samples. Returns 0 or -ENOMEM. */
int sweep_window_figures(struct sweep_figures *f, const struct result *res, size_t group);

#endif
