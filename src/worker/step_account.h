/* step_account.h: counts I/Os by the steps of rate_steps. */
#ifndef STEP_ACCOUNT_H
#define STEP_ACCOUNT_H

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

#endif
