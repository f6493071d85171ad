/* permute_points.h: a batch of points of the permutation's grid. Private to permute. */
#ifndef PERMUTE_POINTS_H
#define PERMUTE_POINTS_H

#include <stdint.h>
#include "permute.h"

#define HASH_A 0x9e3779b1u
#define HASH_B 0x85ebca77u

struct points {
	uint32_t row[PERMUTE_BATCH], col[PERMUTE_BATCH];
};

/* Do one round, and number the points, as permute.c does, on CPUs with AVX2. Call them only if
   cpu_has_avx2(). */
void permute_round_avx2(uint32_t *x, const uint32_t *y, uint32_t size, uint64_t key);
uint64_t permute_number_avx2(const struct permute *p, const struct points *at, uint64_t *number);

#endif
