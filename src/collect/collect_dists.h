/* collect_dists.h: the distributions that -rd came to on the targets of a time span. */
#ifndef COLLECT_DISTS_H
#define COLLECT_DISTS_H

#include "arena.h"
#include "profile.h"
#include "spans.h"

/* Fills in span->dist and the rows' numbers of them, from the rows' paths and sizes. What is made lies in the
   arena, as the rows do. False when memory is short. */
bool collect_dists(struct result_span *span, const struct ds_span *asked, struct arena *mem);

#endif
