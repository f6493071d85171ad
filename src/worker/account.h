/* account.h: what the engine has given back is counted, continued or failed. Private to the loop. */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include "worker.h"

/* n I/Os of w->q.reaped came back. Those that must go on stand in w->q.ready afterwards. */
void account(struct worker *w, unsigned n);
/* The same of the one I/O of a job of depth 1. */
void account_one(struct worker *w, struct io *io);
/* Counts n I/Os that came back, as part of a batch. */
void account_batch(struct worker *w, struct io *const *ios, unsigned n);
/* One that is given up without having come back. */
void account_give_up(struct worker *w, struct io *io);
/* What others read while the job runs, of a phase that begins or is over. The number (slot seq) is odd. */
void account_publish(struct worker *w);

#endif
