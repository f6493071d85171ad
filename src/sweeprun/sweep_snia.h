/* sweep_snia.h: --snia measures block devices by the steps of the Solid State Storage Performance Test
   Specification 2.0.1 of SNIA: the user purges the device; a run writes twice its capacity in sequence; and
   each point runs in rounds until its IOPS are steady (steadystate=snia), for 25 rounds at most. */
#ifndef SWEEP_SNIA_H
#define SWEEP_SNIA_H

#include "plan.h"
#include "sweep_points.h"

struct strbuf;

/* All of these do nothing without --snia. */

/* Refuses options that contradict --snia. Returns 0 or -errno with d. */
int sweep_snia_check(const struct sweep_points *p, struct diag *d);
/* Takes the devices from the plan of a point. Refuses targets that are no block devices or that allow_write
   does not name, and jobs that move no data. Returns 0 or -errno with d. */
int sweep_snia_take_targets(struct sweep_points *p, const struct plan *plan, struct diag *d);
/* Plans the precondition. Nothing is run. Returns 0 or -errno with d. */
int sweep_snia_plan(struct sweep_points *p, struct diag *d);
/* Returns the arguments of the precondition, like sweep_args. */
char **sweep_snia_args(const struct sweep_points *p, const char *const *extra, size_t extras);
/* Adds lines about the precondition, and a note that the user has to purge the devices. */
void sweep_snia_describe(const struct sweep_points *p, struct strbuf *b);

#endif
