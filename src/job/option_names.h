/* option_names.h: looks names up: of options in all tables (the run's, the core's, the engines'), and of
   engines. */
#ifndef OPTION_NAMES_H
#define OPTION_NAMES_H

#include <stdbool.h>
#include "diag.h"
#include "opt.h"

struct engine;

/* Returns -EINVAL with "unknown option 'iodpeth'; did you mean 'iodepth'?" in d, with `dashes` before each
   name. flags: the table of the run's options, or NULL if the name cannot be one of them. */
int option_unknown(const struct opt_table *flags, const char *dashes, const char *name, struct diag *d);
/* Finds the option `word` of a command line, or the only option whose name begins with it. *flag: it is an
   option of the run. Returns 0 or -EINVAL with d. */
int option_find_short(const char *word, const struct opt_row **row, bool *flag, struct diag *d);
/* Returns the first engine that has this option, or NULL. */
const struct engine *option_engine(const char *name);
/* Sets the error for an option of other engines. ours is this job's engine, or NULL if no job uses the
   others. */
void option_of_other_engine(struct diag *d, const char *option, const char *ours);
/* Returns -EINVAL or -ENOTSUP with d, which names the engines that there are. */
int option_unknown_engine(const char *name, struct diag *d);

#endif
