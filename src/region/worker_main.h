/* worker_main.h: the one door between the parent and its workers. */
#ifndef WORKER_MAIN_H
#define WORKER_MAIN_H

#include <stdbool.h>
#include <stdint.h>

struct plan;
struct region;

/* Runs the job from set-up to its last close and leaves everything in its slot. thread: it is one of the
   thread host's threads. */
void worker_main(const struct region *r, const struct plan *p, uint32_t job, bool thread);

#endif
