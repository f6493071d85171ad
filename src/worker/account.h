/* account.h: counts, continues or fails the I/Os that the engine has completed. Private to the loop. */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include "worker.h"

/* Accounts for the first n I/Os of w->q.reaped. I/Os that must be continued are in w->q.ready afterwards. */
void account(struct worker *w, unsigned n);
/* Does the same for the only I/O of a job of depth 1. */
void account_one(struct worker *w, struct io *io);
/* Counts n completed I/Os, as part of a batch. */
void account_batch(struct worker *w, struct io *const *ios, unsigned n);
/* Gives up an I/O that did not complete: it is idle again and is not counted. */
void account_give_up(struct worker *w, struct io *io);
/* Publishes the live totals for the parent when a phase begins or ends. The caller holds the slot: slot.seq
   is odd. */
void account_publish(struct worker *w);

#endif
