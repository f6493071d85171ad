/* cmdline_run.h: the options of the run itself, as they are used (struct run_opts), from those of the command
   line. */
#ifndef CMDLINE_RUN_H
#define CMDLINE_RUN_H

#include "cmdline_flags.h"
#include "output_args.h"
#include "sections.h"

/* Sets set->run; its program and its preset stay. assertions: the values of --assert, which must live as long
   as the set. Returns 0 or -errno with d. */
int cmdline_run_opts(struct job_set *set, const struct cmdline_flags *f, const struct output_args *outputs,
		     const struct texts *assertions, struct diag *d);

#endif
