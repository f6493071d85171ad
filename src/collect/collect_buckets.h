/* collect_buckets.h: the intervals of -D, of one target of a thread or of all, added up. For collect_spans.c.
 */
#ifndef COLLECT_BUCKETS_H
#define COLLECT_BUCKETS_H

#include "arena.h"
#include "per_file.h"
#include "spans.h"

/* Adds n intervals to *to, which is made in the arena if it is NULL. False when memory is short. */
bool buckets_add(struct per_file_bucket **to, const struct per_file_bucket *from, uint32_t n,
		 struct arena *mem);
/* As a span tells them, up to the last that saw an I/O, which is how many it returns; and the deviation of
   their rates. *to: in the arena, NULL when memory is short. */
size_t buckets_tell(const struct per_file_bucket *from, uint32_t n, uint64_t len_ns,
		    const struct span_bucket **to, struct span_flow flow[SPAN_KINDS], struct arena *mem);

#endif
