/* collect_buckets.h: adds up the intervals of -D, of one target or of all. For collect_spans.c. */
#ifndef COLLECT_BUCKETS_H
#define COLLECT_BUCKETS_H

#include "arena.h"
#include "per_file.h"
#include "spans.h"

/* Adds n intervals to *to, which it allocates in the arena if it is NULL. Returns false if memory is
   short. */
bool collect_buckets_add(struct per_file_bucket **to, const struct per_file_bucket *from, uint32_t n,
			 struct arena *mem);
/* Converts the intervals for a time span, and computes the deviation of their rates. Returns how many there
   are up to the last one with an I/O. *to is in the arena; NULL when memory is short. */
size_t collect_buckets_convert(const struct per_file_bucket *from, uint32_t n, uint64_t len_ns,
			       const struct span_bucket **to, struct span_flow flow[SPAN_KINDS],
			       struct arena *mem);

#endif
