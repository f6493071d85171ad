/* waves.h: what starts and ends when: waves, stages, exitall. The parent's. Private to run/. */
#ifndef WAVES_H
#define WAVES_H

#include <stdbool.h>
#include "run.h"

/* What r->plan needs; false when memory is short. waves_fini in any case. */
bool waves_init(struct run *r);
void waves_fini(struct run *r);
/* r->wave begins: its layout. */
void waves_begin(struct run *r);
/* Looks at all jobs of r->wave, and lets start what may start. True when all have ended. */
bool waves_step(struct run *r);
/* Whether all jobs of this wave have ended. */
bool waves_ended(struct run *r, uint32_t wave);
/* Asks all jobs to end, those that have not started, too. */
void waves_stop(struct run *r);

#endif
