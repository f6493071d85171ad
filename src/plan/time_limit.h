/* time_limit.h: times that no healthy run exceeds, for programs that must notice when a run hangs. */
#ifndef TIME_LIMIT_H
#define TIME_LIMIT_H

#include "plan.h"

#define TIME_UNLIMITED UINT64_MAX

/* Returns the longest time in ns from the start of a wave's layout until its jobs may start. It assumes that
   storage writes at least 1 MB/s and creates 100 files in a second. */
uint64_t time_limit_layout(const struct plan *p, uint32_t wave);
/* Returns the longest time in ns from the start of the wave's jobs until their end. TIME_UNLIMITED if a job
   has no runtime, or does work after it that takes as long as the storage needs. */
uint64_t time_limit_run(const struct plan *p, uint32_t wave);
/* Returns the longest time in ns in which the jobs of the wave may complete no I/O because their options say
   so: startdelay, think time, cooldown, a low rate, steps without I/O. */
uint64_t time_limit_pause(const struct plan *p, uint32_t wave);
/* Returns a + b; TIME_UNLIMITED if one of them is. */
uint64_t time_limit_add(uint64_t a, uint64_t b);

#endif
