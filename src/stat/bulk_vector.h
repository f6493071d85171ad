/* bulk_vector.h: computes sums and histogram indices of many latencies with AVX2, four per step. Private to
   bulk_add. */
#ifndef BULK_VECTOR_H
#define BULK_VECTOR_H

#include <stdbool.h>
#include <stdint.h>
#include "wstat.h"

/* The sum of the squares of BULK_PART latencies fits 64 bits if all are below 2^BULK_SMALL ns (0.27 s). */
#define BULK_PART  WSTAT_RING
#define BULK_SMALL 28
#define BULK_LANES 4u

struct bulk_sums {
	uint64_t sum, sq, min, max;
};

/* All three functions need cpu_has_avx2(); n is a multiple of BULK_LANES, at most BULK_PART. */

/* Returns false if a latency is not below 2^BULK_SMALL; the sums are not valid then. */
bool bulk_sum_avx2(struct bulk_sums *s, const uint64_t *ns, unsigned n);
/* Does the same for pairs. s is indexed by enum lat_kind; clat[] receives the completion latencies. */
bool bulk_sum_pairs_avx2(struct bulk_sums *s, uint64_t *clat, const struct wstat_pair *pair, unsigned n);
/* Stores hist_index() of each latency. All latencies must be below 2^BULK_SMALL. */
void bulk_index_avx2(uint64_t *index, const uint64_t *ns, unsigned n);

#endif
