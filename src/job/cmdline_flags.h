/* cmdline_flags.h: the options of the run itself, as rows. Help and manual loop over them too. */
#ifndef CMDLINE_FLAGS_H
#define CMDLINE_FLAGS_H

#include "opt.h"

extern const struct opt_table cmdline_flags;

#endif
