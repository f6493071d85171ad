/* idle_prof.h: --idle-prof: how idle the CPUs were by the kernel's account, as a part of the result. */
#ifndef IDLE_PROF_H
#define IDLE_PROF_H

#include "cpuidle.h"
#include "job.h"
#include "result.h"

/* Adds the idle time since the first look to the result. c may be NULL: --idle-prof was not given. */
void idle_prof_result(const struct cpuidle *c, enum idle_prof how, struct result *r);
/* Measures how long the unit of work takes on this machine. */
void idle_prof_unit(struct result_idle *idle);

#endif
