/* trigger.h: --trigger-file and --trigger-timeout end the run, and --trigger runs a command then. Private to
 * run/. */
#ifndef TRIGGER_H
#define TRIGGER_H

#include "run.h"

/* How often the parent has to look; 0: there is no trigger. */
uint64_t trigger_every_ns(const struct plan *p);
/* Whether it goes off now: the caller ends the run. */
bool trigger_fires(struct run *r);
/* A child has ended: true if it was the command. */
bool trigger_gone(struct run *r, int pid, int status);
/* The run is over and nobody wants to wait for the command any more. */
void trigger_kill(struct run *r);

#endif
