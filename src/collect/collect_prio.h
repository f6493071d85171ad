/* collect_prio.h: the priorities of one entry of the report. For collect.c. */
#ifndef COLLECT_PRIO_H
#define COLLECT_PRIO_H

#include "plan.h"

/* Returns the layout of the first member whose I/Os have priorities of their own; NULL if there is none. The
   I/Os of other members then count under the priority of their worker. */
const struct wstat_layout *collect_prio_layout(const struct plan *p, uint32_t report);

#endif
