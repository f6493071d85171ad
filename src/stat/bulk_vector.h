/* bulk_vector.h: sums and histogram indices of many latencies, four at once. Private to bulk_add. */
#ifndef BULK_VECTOR_H
#define BULK_VECTOR_H

#include <stdbool.h>
#include <stdint.h>
#include "wstat.h"

/* The sum of the squares of this many latencies fits 64 bits if all are below 2^BULK_SMALL ns (0.27 s). */
#define BULK_PART  WSTAT_LATE
#define BULK_SMALL 28
#define BULK_LANES 4u

struct bulk_sums {
	uint64_t sum, sq, min, max;
};

/* All three need cpu_has_avx2(); n is a multiple of BULK_LANES, at most BULK_PART. */

/* False if one of the latencies is not below 2^BULK_SMALL: then the sums are not valid. */
bool bulk_sum_avx2(struct bulk_sums *s, const uint64_t *ns, unsigned n);
/* The same for pairs: s by enum lat_kind; clat receives the completion latencies. */
bool bulk_sum_pairs_avx2(struct bulk_sums *s, uint64_t *clat, const struct wstat_pair *pair, unsigned n);
/* hist_index() of each latency, which is below 2^BULK_SMALL. */
void bulk_index_avx2(uint64_t *index, const uint64_t *ns, unsigned n);

#endif
