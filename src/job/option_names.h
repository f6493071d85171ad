/* option_names.h: looks an option up in all tables: those of the run, of the core and of the engines. */
#ifndef OPTION_NAMES_H
#define OPTION_NAMES_H

#include "diag.h"
#include "opt.h"

/* Lists all tables of option names: flags (may be NULL), core, every engine. Sets *n. */
#define TABLES_MAX 64
void option_tables(const struct opt_table *flags, const struct opt_table *tables[TABLES_MAX], unsigned *n);
/* Returns -EINVAL with "unknown option 'iodpeth'; did you mean 'iodepth'?" in d, with `dashes` before each
 * name. */
int unknown_option(const struct opt_table *flags, const char *dashes, const char *name, struct diag *d);

#endif
