/* hosts.h: the ranks of fiord-mpi in a result: when each began and ended, and which fell behind. */
#ifndef HOSTS_H
#define HOSTS_H

#include "result.h"

/* Adds a copy of *host. Its start_late_ns and done_ns are computed from its waves. */
void result_add_host(struct result *r, const struct result_host *host);
/* Sorts the hosts by rank, and finds those that began last, were done first and last, and fell behind:
   STRAGGLER_LATE if a wave took more than 10 % and 0.1 s longer than the median rank, else STRAGGLER_SLOW if
   the rank moved less than two thirds of the data per second of the median rank. Only ranks of the same
   program are compared. result_finish calls this. */
void result_finish_hosts(struct result *r);

#endif
