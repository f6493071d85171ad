/* stat_common.h: the option stat_type and the submit function that filestat and dirstat share. */
#ifndef STAT_COMMON_H
#define STAT_COMMON_H

#include "engine.h"
#include "opt.h"

struct stat_common_opts {
	unsigned type;
};

extern const struct opt_table stat_common_table;

int stat_common_submit(struct engine_ctx *ctx, struct io **ios, unsigned n);

#endif
