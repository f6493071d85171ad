/* idle_prof.h: --idle-prof: adds the idle time of the CPUs, as the kernel counts it, to the result. */
#ifndef IDLE_PROF_H
#define IDLE_PROF_H

#include "cpuidle.h"
#include "job.h"
#include "result.h"

/* Adds the idle time since c was read. c may be NULL: --idle-prof was not given. */
void idle_prof_result(const struct cpuidle *c, enum idle_prof how, struct result *r);
/* Measures how long fio's unit of work takes on this machine. */
void idle_prof_unit(struct result_idle *idle);

#endif
