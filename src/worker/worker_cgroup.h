/* worker_cgroup.h: the control group of a worker. */
#ifndef WORKER_CGROUP_H
#define WORKER_CGROUP_H

#include "clone.h"

/* Enters the control group of its job, if it has one. False after clone_fail. */
bool cgroup_join(struct clone *c);

#endif
