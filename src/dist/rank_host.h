/* rank_host.h: the entry of a rank in fiord.hosts: when its workers began and ended in each wave, counted
   from the common starts, how many bytes it moved, and its first error. */
#ifndef RANK_HOST_H
#define RANK_HOST_H

#include "comm.h"
#include "result.h"
#include "run.h"

/* Adds a line about this rank to its result, and names the entries of the result by the rank. So the entries
   of two ranks on one host have different names. first_ns: when the first wave started, by clock_ns(); 0:
   none did. */
void rank_host_add(const struct comm *c, const struct run *r, uint64_t first_ns, struct result *res);
/* Returns the entry of a rank without a result. */
struct result_host rank_host_missing(const struct comm *c, int rank, const char *error);

#endif
