/* sweep_spread.h: how much the figures of a point vary within its run. Pure. */
#ifndef SWEEP_SPREAD_H
#define SWEEP_SPREAD_H

#include "sweep_curve.h"

/* Sets the spread of the group's IOPS and mean latency from the series of the result. They stay 0 if it has
   none, or fewer than two intervals in each part, and for jobs with steadystate, whose figures are those of a
   window. */
void sweep_spread(struct sweep_figures *f, const struct result *res, size_t group);

#endif
