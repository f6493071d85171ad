/* reserve.h: address space that is reserved before a run for the result after it, so that a limit (ulimit -v)
   fails the run before the work and not after it. */
#ifndef RESERVE_H
#define RESERVE_H

#include <stddef.h>
#include "diag.h"
#include "plan.h"

struct reserve {
	void *base;
	size_t bytes;
};

/* Returns 0 or -ENOMEM with d. Workers do not inherit the reserve. */
int reserve_take(struct reserve *r, const struct plan *p, struct diag *d);
/* Releases the address space, for the result. May be called twice. */
void reserve_release(struct reserve *r);

#endif
