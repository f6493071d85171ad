/* merge_run.h: what results say about the whole run: machine, global options, exit codes, disks, ranks. For
   merge.c. */
#ifndef MERGE_RUN_H
#define MERGE_RUN_H

#include "result.h"

/* Adds the run of a result. machine: the name of its host, for its disks. first: it is the first result. */
void merge_run_add(struct result *out, const struct result *r, const char *machine, bool first);
/* Adds its ranks alone. */
void merge_run_hosts(struct result *out, const struct result *r);

#endif
