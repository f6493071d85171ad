/* worker_cgroup.h: the control group of a worker. */
#ifndef WORKER_CGROUP_H
#define WORKER_CGROUP_H

#include "clone.h"

/* Moves the worker into the control group of its job, if the job has one. Returns false after clone_fail. */
bool worker_cgroup_join(struct clone *c);

#endif
