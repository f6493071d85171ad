/* preflight.h: what the figures of a plan will not mean, said before it runs: one line each, with what to do
   instead. Pure: facts in, notes out; what the facts do not know is not said. */
#ifndef PREFLIGHT_H
#define PREFLIGHT_H

#include "plan.h"

/* f is what the plan was made of. Jobs of which the same is to be said share a line. */
void preflight(const struct plan *p, const struct facts *f, struct notes *out);
/* Whether the note expects I/O to end in memory: after a run the counters of the devices know better. */
bool preflight_expects_memory(const char *note);

#endif
