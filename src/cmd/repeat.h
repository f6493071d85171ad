/* repeat.h: --repeat=N: the jobs run N times, and every run begins as the first one did: files that did not
   exist before the first run are removed before the next one. */
#ifndef REPEAT_H
#define REPEAT_H

#include "diag.h"
#include "job.h"

/* Plans and runs the jobs N times. The first run that fails or is interrupted is the last. Returns its exit
   code, with d on failure. */
int repeat_run(const struct job_set *set, struct diag *d);

#endif
