/* process_memory.h: the memory of a running process and of all its descendants. */
#ifndef PROCESS_MEMORY_H
#define PROCESS_MEMORY_H

#include <sys/types.h>

/* Returns MiB, summed over /proc/PID/smaps_rollup, once `jobs` threads or processes run and the sum has
   stopped growing; NAN if that takes more than ten minutes. */
double process_memory_mib(pid_t pid, unsigned jobs);

#endif
