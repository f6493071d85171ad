/* thread_host.h: the process whose threads are the jobs with thread=1. */
#ifndef THREAD_HOST_H
#define THREAD_HOST_H

struct run;

/* Runs in the child. Starts the threads and returns when all of them have ended. */
void thread_host_main(const struct run *r);

#endif
