/* wave_targets.h: the targets of a wave that is not the first, when it begins. */
#ifndef WAVE_TARGETS_H
#define WAVE_TARGETS_H

struct run;

/* Looks again at what the jobs of the present wave write, because earlier waves may have taken hours. Jobs
   whose target may not be written any more get the reason as their error, and do not begin. No worker may be
   using the targets. */
void wave_targets_check(struct run *r);

#endif
