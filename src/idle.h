/* idle.h: --idle-prof: what the kernel says of the CPUs, as a part of the result. */
#ifndef IDLE_H
#define IDLE_H

#include "cpuidle.h"
#include "job.h"
#include "result.h"

/* Since the first look; c may be NULL: nothing was asked for. */
void idle_result(const struct cpuidle *c, enum idle_prof how, struct result *r);
/* --idle-prof=calibrate: tells how long the unit of work takes, and runs nothing. The exit code. */
int idle_calibrate(struct diag *d);

#endif
