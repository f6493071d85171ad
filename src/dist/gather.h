/* gather.h: sends the results of all ranks to rank 0, which merges them. */
#ifndef GATHER_H
#define GATHER_H

#include "comm.h"
#include "result.h"

/* Prepares the result of a rank for the merge: converts the start of its series to the clock of rank 0. */
void gather_prepare(const struct comm *c, struct result *res);
/* For all ranks but 0: sends the result; res is NULL if the rank has none. Returns 0, -ENOMEM with d, or
   another -errno if rank 0 does not receive it. */
int gather_send(struct comm *c, const struct result *res, struct diag *d);
/* For rank 0: merges its own result and those of the others into *sum, which names the ranks whose results
   have not arrived in time. bins: the entries keep their histograms. Returns 0 or -errno with d. */
int gather_merge(struct comm *c, const struct result *own, bool bins, struct result *sum, struct diag *d);

#endif
