/* worker_main.h: the entry point of a worker. */
#ifndef WORKER_MAIN_H
#define WORKER_MAIN_H

#include <stdbool.h>
#include <stdint.h>

struct plan;
struct region;

/* Runs the job from set-up to its last close and leaves all results in its slot. thread: the worker is a
   thread of the thread host. */
void worker_main(const struct region *r, const struct plan *p, uint32_t job, bool thread);

#endif
