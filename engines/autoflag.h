/* autoflag.h: a flag that is on by default where the kernel allows it. If the user sets it to 1, a failure is
   an error; 0 switches it off. */
#ifndef AUTOFLAG_H
#define AUTOFLAG_H

#include "types.h"

enum autoflag { AUTOFLAG_AUTO = -1, AUTOFLAG_OFF = 0, AUTOFLAG_ON = 1 };

/* Type of an int32_t option: -1, 0 or 1; the bare word means 1. */
extern const struct opt_type autoflag_type;

/* clang-format off */
#define AUTOFLAG(field) .type = &autoflag_type, OPT_AT(field, int32_t *), .def = "-1", .bare = true, \
	OPT_RANGE((uint64_t)(int64_t)AUTOFLAG_AUTO, AUTOFLAG_ON)
/* clang-format on */

#endif
