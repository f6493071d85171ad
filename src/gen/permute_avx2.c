/* permute_avx2.c: the rounds of permute.c written with intrinsics, because compilers reach less than half
   this speed with the widening multiply. The build chooses this file on x86-64. */
#include <immintrin.h>
#include "permute_points.h"

__attribute__((target("avx2"))) void permute_round_avx2(uint32_t *x, const uint32_t *y, uint32_t size,
							uint64_t key)
{
	const __m256i k0 = _mm256_set1_epi32((int)key), k1 = _mm256_set1_epi32((int)(key >> 32));
	const __m256i mul_a = _mm256_set1_epi32((int)HASH_A), mul_b = _mm256_set1_epi32((int)HASH_B);
	const __m256i wrap = _mm256_set1_epi32((int)size);

	for (unsigned i = 0; i < PERMUTE_BATCH; i += 8) {
		__m256i h = _mm256_loadu_si256((const __m256i *)(y + i)), even, odd, sum;

		h = _mm256_mullo_epi32(_mm256_xor_si256(h, k0), mul_a);
		h = _mm256_xor_si256(h, _mm256_xor_si256(_mm256_srli_epi32(h, 15), k1));
		h = _mm256_mullo_epi32(h, mul_b);
		even = _mm256_srli_epi64(_mm256_mul_epu32(h, wrap), 32);
		odd = _mm256_mul_epu32(_mm256_srli_epi64(h, 32), wrap);
		sum = _mm256_loadu_si256((const __m256i *)(x + i));
		sum = _mm256_add_epi32(sum, _mm256_blend_epi32(even, odd, 0xaa));
		sum = _mm256_min_epu32(sum, _mm256_sub_epi32(sum, wrap));
		_mm256_storeu_si256((__m256i *)(x + i), sum);
	}
}

__attribute__((target("avx2"))) uint64_t permute_number_avx2(const struct permute *p, const struct points *at,
							     uint64_t *number)
{
	const __m256i b = _mm256_set1_epi64x((int64_t)p->b), last = _mm256_set1_epi64x((int64_t)p->n - 1);
	uint64_t beyond = 0;

	for (unsigned i = 0; i < PERMUTE_BATCH; i += 4) {
		__m256i row = _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(at->row + i)));
		__m256i col = _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(at->col + i)));
		__m256i v = _mm256_add_epi64(_mm256_mul_epu32(row, b), col),
			more = _mm256_cmpgt_epi64(v, last);

		_mm256_storeu_si256((__m256i *)(number + i), v);
		beyond |= (uint64_t)(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(more)) << i;
	}
	return beyond;
}
