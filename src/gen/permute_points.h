/* permute_points.h: the rounds of the permutation, for one point of its grid and for a batch of points.
   Private to permute and scatter. */
#ifndef PERMUTE_POINTS_H
#define PERMUTE_POINTS_H

#include <stdint.h>
#include "permute.h"

#define HASH_A 0x9e3779b1u
#define HASH_B 0x85ebca77u

struct points {
	uint32_t row[PERMUTE_BATCH], col[PERMUTE_BATCH];
};

/* Returns how far a round moves the x beside this y: a keyed hash, within [0, size). */
static inline uint32_t permute_distance(uint32_t y, uint32_t size, uint64_t key)
{
	uint32_t h = (y ^ (uint32_t)key) * HASH_A;

	h ^= (h >> 15) ^ (uint32_t)(key >> 32);
	h *= HASH_B;
	return (uint32_t)(((uint64_t)h * size) >> 32);
}

/* Moves x within [0, size). size is at most 2^31, so sums fit 32 bits. */
static inline uint32_t permute_move(uint32_t x, uint32_t y, uint32_t size, uint64_t key)
{
	uint32_t sum = x + permute_distance(y, size, key), wrapped = sum - size;

	return wrapped < sum ? wrapped : sum;
}

/* Does one round: moves each x of a batch. */
void permute_round(uint32_t *x, const uint32_t *y, uint32_t size, uint64_t key);
/* Do one round, and number the points, as permute.c does, on CPUs with AVX2. Call them only if
   cpu_has_avx2(). */
void permute_round_avx2(uint32_t *x, const uint32_t *y, uint32_t size, uint64_t key);
uint64_t permute_number_avx2(const struct permute *p, const struct points *at, uint64_t *number);

#endif
