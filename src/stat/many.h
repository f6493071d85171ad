/* many.h: many latencies at once to moments and a histogram: the same figures as one by one, in a fraction of
   the time. */
#ifndef MANY_H
#define MANY_H

#include <stdint.h>
#include "hist.h"
#include "wstat.h"

/* m or h may be NULL. */
void many_add(struct moments *m, struct hist *h, const uint64_t *ns, unsigned n);

#endif
