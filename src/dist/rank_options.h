/* rank_options.h: checks the options of the run before the ranks plan: all ranks need the same verb and the
   same output, and some options make no sense on several machines. */
#ifndef RANK_OPTIONS_H
#define RANK_OPTIONS_H

#include "cmdline.h"
#include "comm.h"

/* Refuses options of the run that do not make sense for several machines, and an output of another program
   that is not that of rank 0. Every rank calls it. Returns 0 or -errno with d; *output becomes the path of
   rank 0's --output for the caller to free, or NULL. */
int rank_options_check(struct comm *c, const struct cmdline *cmdline, const struct run_opts *o, char **output,
		       struct diag *d);

#endif
