/* statop.h: what filestat and dirstat share: the option stat_type, and the call it names. */
#ifndef STATOP_H
#define STATOP_H

#include "engine.h"
#include "opt.h"

struct statop_opts {
	unsigned type;
};

extern const struct opt_table statop_table;

int statop_submit(struct engine_ctx *ctx, struct io **ios, unsigned n);

#endif
