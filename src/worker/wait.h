/* wait.h: waits of the loop. A worker sleeps for most of a wait, and spins for the rest. */
#ifndef WAIT_H
#define WAIT_H

#include <stdint.h>

struct worker;

/* Sleeps, then spins, until `until` or until the parent sets stop. Updates the estimate of the wake-up
   latency. */
void wait_until(struct worker *w, uint64_t until);
void wait_spin(struct worker *w, uint64_t until);
/* Returns the earliest of `until`, the deadline and the next event. */
uint64_t wait_limit(const struct worker *w, uint64_t until);
/* Waits as rate_wait says for the I/O that is due at w->sched.due_ns, or until the next event. */
void wait_due(struct worker *w);
/* Returns how long an engine may sleep until that I/O is due; 0: the worker polls the engine. */
uint64_t wait_due_timeout(struct worker *w);

#endif
