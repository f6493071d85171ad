/* host.h: the process whose threads are the jobs with thread=1. Private to run/. */
#ifndef HOST_H
#define HOST_H

#include "run.h"

/* Returns when all of them have ended. */
void thread_host_main(const struct run *r);

#endif
