#include <stdbool.h>
#include <stddef.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include "many.h"

/* Of as many the sum of squares fits 64 bits where all are below 2^SMALL (0.27 s), */
#define PART  64u
#define SMALL 28
/* and no vector holds more. */
#define LANES 4u

struct sums {
	uint64_t sum, sq, min, max;
};

static void add_sums(struct moments *m, const struct sums *s, unsigned n)
{
	m->n += n;
	m->sum += s->sum;
	m->sq_hi += (uint64_t)__builtin_add_overflow(m->sq_lo, s->sq, &m->sq_lo);
	m->min = s->min < m->min ? s->min : m->min;
	m->max = s->max > m->max ? s->max : m->max;
}

static void add_singly(struct moments *m, struct hist *h, const uint64_t *ns, unsigned n)
{
	for (unsigned i = 0; i < n && m; i++)
		moments_add(m, ns[i]);
	for (unsigned i = 0; i < n && h; i++)
		hist_add(h, ns[i]);
}

#if defined(__x86_64__)
/* n is a multiple of LANES, at most PART. False if one of them is not small. */
__attribute__((target("avx2"))) static bool sum_avx2(struct sums *s, const uint64_t *ns, unsigned n)
{
	__m256i sum = _mm256_setzero_si256(), sq = sum, max = sum, any = sum,
		min = _mm256_set1_epi64x(UINT32_MAX);
	uint64_t lane[4][LANES];

	for (unsigned i = 0; i < n; i += LANES) {
		__m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(ns + i));

		any = _mm256_or_si256(any, v);
		sum = _mm256_add_epi64(sum, v);
		sq = _mm256_add_epi64(sq, _mm256_mul_epu32(v, v));
		min = _mm256_min_epu32(min, v);
		max = _mm256_max_epu32(max, v);
	}
	if (!_mm256_testz_si256(any, _mm256_set1_epi64x(-(1ll << SMALL))))
		return false;
	_mm256_storeu_si256((__m256i *)(void *)lane[0], sum);
	_mm256_storeu_si256((__m256i *)(void *)lane[1], sq);
	_mm256_storeu_si256((__m256i *)(void *)lane[2], min);
	_mm256_storeu_si256((__m256i *)(void *)lane[3], max);
	*s = (struct sums){ .min = UINT64_MAX };
	for (unsigned i = 0; i < LANES; i++) {
		s->sum += lane[0][i];
		s->sq += lane[1][i];
		s->min = lane[2][i] < s->min ? lane[2][i] : s->min;
		s->max = lane[3][i] > s->max ? lane[3][i] : s->max;
	}
	return true;
}

/* hist_index of small ones. Written into the bits of a double, the exponent of what remains of x after 2^52
   is taken away tells how far x is shifted. */
__attribute__((target("avx2"))) static void index_avx2(uint64_t *index, const uint64_t *ns, unsigned n)
{
	const __m256i magic = _mm256_set1_epi64x(0x4330000000000000 | 64),
		      bias = _mm256_set1_epi64x(1023 + 6);
	const __m256d two52 = _mm256_set1_pd(0x1p52);

	for (unsigned i = 0; i < n; i += LANES) {
		__m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(ns + i)), shift;
		__m256d x = _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(v, magic)), two52);

		shift = _mm256_sub_epi64(_mm256_srli_epi64(_mm256_castpd_si256(x), 52), bias);
		v = _mm256_add_epi64(_mm256_srlv_epi64(v, shift), _mm256_slli_epi64(shift, 6));
		_mm256_storeu_si256((__m256i *)(void *)(index + i), v);
	}
}

static bool have_avx2(void)
{
	return __builtin_cpu_supports("avx2");
}
#else
static bool sum_avx2(struct sums *s, const uint64_t *ns, unsigned n)
{
	(void)s, (void)ns, (void)n;
	return false;
}

static void index_avx2(uint64_t *index, const uint64_t *ns, unsigned n)
{
	(void)index, (void)ns, (void)n;
}

static bool have_avx2(void)
{
	return false;
}
#endif

/* In the order of ns: wstat counts on it. */
static void add_indices(struct hist *h, const uint64_t *ns, unsigned n, const struct sums *s)
{
	unsigned lo = hist_index(s->min), hi = hist_index(s->max);
	uint64_t index[PART];

	index_avx2(index, ns, n);
	h->lo = lo < h->lo ? lo : h->lo;
	h->hi = hi > h->hi ? hi : h->hi;
	for (unsigned i = 0; i < n; i += LANES) {
		h->n[index[i]]++;
		h->n[index[i + 1]]++;
		h->n[index[i + 2]]++;
		h->n[index[i + 3]]++;
	}
}

void many_add(struct moments *m, struct hist *h, const uint64_t *ns, unsigned n)
{
	unsigned part;

	for (bool vectors = have_avx2(); vectors && n >= LANES; ns += part, n -= part) {
		struct sums s;

		part = (n < PART ? n : PART) / LANES * LANES;
		if (!sum_avx2(&s, ns, part)) {
			add_singly(m, h, ns, part);
			continue;
		}
		if (m)
			add_sums(m, &s, part);
		if (h)
			add_indices(h, ns, part, &s);
	}
	add_singly(m, h, ns, n);
}
