/* advance.h: whether the workers of a run get on with their work. */
#ifndef ADVANCE_H
#define ADVANCE_H

#include <stdint.h>

struct run;

/* Returns a number that changes while workers get on: when I/Os complete, when a worker enters another phase,
   and when a worker uses CPU time for work that has no I/Os: opening, laying out and closing files,
   end_fsync, the wait for a command, the engines cpuio and exec. CPU time counts for nothing else, since a
   worker may spin while it waits for a device. */
uint64_t advance_number(const struct run *r);

#endif
