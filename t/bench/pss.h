/* pss.h: the memory of a running process and all that it started. */
#ifndef PSS_H
#define PSS_H

#include <sys/types.h>

/* MiB, summed over /proc/PID/smaps_rollup, once `jobs` threads or processes run and the sum grows no more;
   NAN if that does not happen within ten minutes. */
double pss_settled(pid_t pid, unsigned jobs);

#endif
