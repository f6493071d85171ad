/* sweep_window.h: the figures of the window in which a job was steady (steadystate), from the series of its
   run. Pure. */
#ifndef SWEEP_WINDOW_H
#define SWEEP_WINDOW_H

#include "sweep_curve.h"

/* Replaces the counts, rates and latencies of a group by those of the last window of its steadystate.
   Latencies come from the intervals of the series: those whose middle lies in the window, and one that has
   the middle of the window. Without a series they are not known. The function does nothing unless the group
   has a single report entry, with a criterion and samples. Returns 0 or -ENOMEM. */
int sweep_window_figures(struct sweep_figures *f, const struct result *res, size_t group);

#endif
