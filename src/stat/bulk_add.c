#include <stdbool.h>
#include <stddef.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include "bulk_add.h"

/* Of as many the sum of squares fits 64 bits where all are below 2^SMALL (0.27 s), */
#define PART  WSTAT_LATE
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
#define AVX2 __attribute__((target("avx2")))

/* Of the values seen by one lane and the next. */
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
	return _mm256_testz_si256(any, _mm256_set1_epi64x(-(1ll << SMALL)));
}

AVX2 static __attribute__((noinline)) void lanes_end(struct sums *s, struct lanes l)
{
	uint64_t lane[4][LANES];

	_mm256_storeu_si256((__m256i *)(void *)lane[0], l.sum);
	_mm256_storeu_si256((__m256i *)(void *)lane[1], l.sq);
	_mm256_storeu_si256((__m256i *)(void *)lane[2], l.min);
	_mm256_storeu_si256((__m256i *)(void *)lane[3], l.max);
	*s = (struct sums){ .min = UINT64_MAX };
	for (unsigned i = 0; i < LANES; i++) {
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

/* n is a multiple of LANES, at most PART. False if one of them is not small. */
AVX2 static bool sum_avx2(struct sums *s, const uint64_t *ns, unsigned n)
{
	__m256i any = _mm256_setzero_si256();
	struct lanes l;

	lanes_init(&l);
	for (unsigned i = 0; i < n; i += LANES) {
		__m256i v = load(ns + i);

		any = _mm256_or_si256(any, v);
		lanes_add(&l, v);
	}
	lanes_end(s, l);
	return all_small(any);
}

/* The same of pairs, by enum lat_kind; clat gets theirs. */
AVX2 static bool sum_pairs_avx2(struct sums *s, uint64_t *clat, const struct wstat_pair *pair, unsigned n)
{
	__m256i any = _mm256_setzero_si256();
	struct lanes slats, clats, lats;

	lanes_init(&slats);
	lanes_init(&clats);
	lanes_init(&lats);
	for (unsigned i = 0; i < n; i += LANES) {
		__m256i a = load(pair + i), b = load(pair + i + 2); /* of four I/Os, in the order 0 2 1 3: */
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

/* hist_index of small ones. Written into the bits of a double, the exponent of what remains of x after 2^52
   is taken away tells how far x is shifted. */
AVX2 static void index_avx2(uint64_t *index, const uint64_t *ns, unsigned n)
{
	const __m256i magic = _mm256_set1_epi64x(0x4330000000000000 | 64),
		      bias = _mm256_set1_epi64x(1023 + 6);
	const __m256d two52 = _mm256_set1_pd(0x1p52);

	for (unsigned i = 0; i < n; i += LANES) {
		__m256i v = load(ns + i), shift;
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

static bool sum_pairs_avx2(struct sums *s, uint64_t *clat, const struct wstat_pair *pair, unsigned n)
{
	(void)s, (void)clat, (void)pair, (void)n;
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

void bulk_add(struct moments *m, struct hist *h, const uint64_t *ns, unsigned n)
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

static void kind_of(uint64_t *ns, const struct wstat_pair *pair, unsigned n, unsigned kind)
{
	for (unsigned i = 0; i < n; i++)
		ns[i] = wstat_pair_lat(&pair[i], kind);
}

static void pairs_singly(const struct bulk_add_to *to, const struct wstat_pair *pair, unsigned n)
{
	uint64_t ns[WSTAT_LATE];

	for (unsigned k = 0; k <= LAT_LAT; k++) {
		if (!to->m[k] && !to->h[k])
			continue;
		kind_of(ns, pair, n, k);
		add_singly(to->m[k], to->h[k], ns, n);
	}
}

void bulk_add_pairs(const struct bulk_add_to *to, const struct wstat_pair *pair, unsigned n)
{
	unsigned whole = have_avx2() ? n / LANES * LANES : 0;
	uint64_t ns[WSTAT_LATE];
	struct sums s[LAT_LAT + 1];

	if (!whole || !sum_pairs_avx2(s, ns, pair, whole)) {
		pairs_singly(to, pair, n);
		return;
	}
	for (unsigned k = 0; k <= LAT_LAT; k++)
		if (to->m[k])
			add_sums(to->m[k], &s[k], whole);
	if (to->h[LAT_CLAT])
		add_indices(to->h[LAT_CLAT], ns, whole, &s[LAT_CLAT]);
	for (unsigned k = 0; k <= LAT_LAT; k++) {
		if (!to->h[k] || k == LAT_CLAT)
			continue;
		kind_of(ns, pair, whole, k);
		add_indices(to->h[k], ns, whole, &s[k]);
	}
	if (whole < n)
		pairs_singly(to, pair + whole, n - whole);
}
