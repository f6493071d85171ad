/* reserve.h: address space set aside before a run for the result after it, so that a limit (ulimit -v) is met
   before the work and not behind it. */
#ifndef RESERVE_H
#define RESERVE_H

#include <stddef.h>
#include "diag.h"
#include "plan.h"

struct reserve {
	void *base;
	size_t bytes;
};

/* 0 or -ENOMEM with d. Workers do not inherit it. */
int reserve_take(struct reserve *r, const struct plan *p, struct diag *d);
/* The result is made now. */
void reserve_give(struct reserve *r);

#endif
