/* step_account.h: counts I/Os by the steps of rate_steps. */
#ifndef STEP_ACCOUNT_H
#define STEP_ACCOUNT_H

#include <stdint.h>

struct clone;
struct io;
struct observers;
struct worker;

/* Sets o->steps, which is NULL for jobs without steps. */
void step_account_init(struct observers *o, const struct clone *c);
/* Counts a completed I/O in the step in which it was due. Only if w->observers.steps, and while the job is
   measured. */
void step_account_one(struct worker *w, const struct io *io);
/* Does the same for those of the first n I/Os of w->q.reaped that are complete. */
void step_account(struct worker *w, unsigned n);
/* Counts n I/Os that did not complete in the step in which they were due: at due_ns, since the start of the
   measurement. age_ns: since then. */
void step_account_unfinished(struct worker *w, unsigned dir, uint64_t due_ns, uint64_t age_ns, uint64_t n);

#endif
