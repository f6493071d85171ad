/* collect_dists.h: the effective distributions of -rd on the targets of a time span. */
#ifndef COLLECT_DISTS_H
#define COLLECT_DISTS_H

#include "arena.h"
#include "profile.h"
#include "spans.h"

/* Fills in span->dist and row->dist, from the paths and sizes of the rows. It allocates in the arena, as the
   rows are. Returns false if memory is short. */
bool collect_dists(struct result_span *span, const struct ds_span *settings, struct arena *mem);

#endif
