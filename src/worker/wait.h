/* wait.h: waits of the loop. A worker sleeps for most of a wait, and spins for the rest. Every wait ends when
   the parent sets slot.stop. */
#ifndef WAIT_H
#define WAIT_H

#include <stdint.h>

struct clone;
struct phase_clock;
struct worker;

/* Sleeps, then spins, until `until`. Sets k->now_ns, and updates the estimate of the wake-up latency. */
void wait_until(struct phase_clock *k, const struct clone *c, uint64_t until);
/* Spins until `until`. Sets k->now_ns. */
void wait_spin(struct phase_clock *k, const struct clone *c, uint64_t until);
/* Returns the earliest of `until`, the deadline and the next event. */
uint64_t wait_limit(const struct phase_clock *k, uint64_t until);
/* Waits as rate_wait says for the I/O that is due at w->sched.due_ns, or until the next event. Sets
   w->clock.now_ns. */
void wait_due(struct worker *w);
/* Returns how long an engine may sleep until that I/O is due; 0: the worker polls the engine. */
uint64_t wait_due_timeout(struct worker *w);

#endif
