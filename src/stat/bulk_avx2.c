/* bulk_avx2.c: bulk_vector.h for AVX2. The build chooses this file on x86-64. */
#include <immintrin.h>
#include "bulk_vector.h"

#define AVX2 __attribute__((target("avx2")))

/* The sums and extremes of each lane. */
struct lanes {
	__m256i sum, sq, min, max;
};

AVX2 static inline void lanes_init(struct lanes *l)
{
	*l = (struct lanes){ .min = _mm256_set1_epi64x(UINT32_MAX) };
}

AVX2 static inline void lanes_add(struct lanes *l, __m256i v)
{
	l->sum = _mm256_add_epi64(l->sum, v);
	l->sq = _mm256_add_epi64(l->sq, _mm256_mul_epu32(v, v));
	l->min = _mm256_min_epu32(l->min, v);
	l->max = _mm256_max_epu32(l->max, v);
}

AVX2 static inline bool all_small(__m256i any)
{
	return _mm256_testz_si256(any, _mm256_set1_epi64x(-(1ll << BULK_SMALL)));
}

AVX2 static __attribute__((noinline)) void lanes_end(struct bulk_sums *s, struct lanes l)
{
	uint64_t lane[4][BULK_LANES];

	_mm256_storeu_si256((__m256i *)(void *)lane[0], l.sum);
	_mm256_storeu_si256((__m256i *)(void *)lane[1], l.sq);
	_mm256_storeu_si256((__m256i *)(void *)lane[2], l.min);
	_mm256_storeu_si256((__m256i *)(void *)lane[3], l.max);
	*s = (struct bulk_sums){ .min = UINT64_MAX };
	for (unsigned i = 0; i < BULK_LANES; i++) {
		s->sum += lane[0][i];
		s->sq += lane[1][i];
		s->min = lane[2][i] < s->min ? lane[2][i] : s->min;
		s->max = lane[3][i] > s->max ? lane[3][i] : s->max;
	}
}

AVX2 static inline __m256i load(const void *from)
{
	return _mm256_loadu_si256(from);
}

AVX2 bool bulk_sum_avx2(struct bulk_sums *s, const uint64_t *ns, unsigned n)
{
	__m256i any = _mm256_setzero_si256();
	struct lanes l;

	lanes_init(&l);
	for (unsigned i = 0; i < n; i += BULK_LANES) {
		__m256i v = load(ns + i);

		any = _mm256_or_si256(any, v);
		lanes_add(&l, v);
	}
	lanes_end(s, l);
	return all_small(any);
}

AVX2 bool bulk_sum_pairs_avx2(struct bulk_sums *s, uint64_t *clat, const struct wstat_pair *pair, unsigned n)
{
	__m256i any = _mm256_setzero_si256();
	struct lanes slats, clats, lats;

	lanes_init(&slats);
	lanes_init(&clats);
	lanes_init(&lats);
	for (unsigned i = 0; i < n; i += BULK_LANES) {
		__m256i a = load(pair + i), b = load(pair + i + 2); /* four I/Os, in the order 0 2 1 3 */
		__m256i lat = _mm256_unpacklo_epi64(a, b), c = _mm256_unpackhi_epi64(a, b);
		__m256i slat = _mm256_sub_epi64(lat, c);

		any = _mm256_or_si256(any, _mm256_or_si256(lat, slat));
		lanes_add(&slats, slat);
		lanes_add(&clats, c);
		lanes_add(&lats, lat);
		_mm256_storeu_si256((__m256i *)(void *)(clat + i), _mm256_permute4x64_epi64(c, 0xd8));
	}
	lanes_end(&s[LAT_SLAT], slats);
	lanes_end(&s[LAT_CLAT], clats);
	lanes_end(&s[LAT_LAT], lats);
	return all_small(any);
}

/* Writes each value into the mantissa of a double of exponent 2^52. After 2^52 is subtracted, the exponent
   gives the number of bits by which hist_index() shifts the value. */
AVX2 void bulk_index_avx2(uint64_t *index, const uint64_t *ns, unsigned n)
{
	const __m256i magic = _mm256_set1_epi64x(0x4330000000000000 | 64),
		      bias = _mm256_set1_epi64x(1023 + 6);
	const __m256d two52 = _mm256_set1_pd(0x1p52);

	for (unsigned i = 0; i < n; i += BULK_LANES) {
		__m256i v = load(ns + i), shift;
		__m256d x = _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(v, magic)), two52);

		shift = _mm256_sub_epi64(_mm256_srli_epi64(_mm256_castpd_si256(x), 52), bias);
		v = _mm256_add_epi64(_mm256_srlv_epi64(v, shift), _mm256_slli_epi64(shift, 6));
		_mm256_storeu_si256((__m256i *)(void *)(index + i), v);
	}
}
