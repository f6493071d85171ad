#include <assert.h>
#include <stdbool.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include "permute.h"
#include "rng.h"

#define HASH_A 0x9e3779b1u
#define HASH_B 0x85ebca77u

struct points {
	uint32_t row[PERMUTE_BATCH], col[PERMUTE_BATCH];
};

static uint64_t sqrt_up(uint64_t n)
{
	uint64_t root = 0;

	for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1)
		if ((root | bit) * (root | bit) <= n)
			root |= bit;
	return root * root < n ? root + 1 : root;
}

void permute_init(struct permute *p, uint64_t n, uint64_t key)
{
	assert(n <= (uint64_t)1 << 62);
	p->n = n;
	p->a = sqrt_up(n);
	p->b = n ? (n + p->a - 1) / p->a : 0;
	permute_restart(p, key);
}

void permute_restart(struct permute *p, uint64_t key)
{
	for (unsigned i = 0; i < 4; i++)
		p->key[i] = key = rng_mix64(key + i);
	p->next = 0;
	p->at = p->have = 0;
}

/* One round: moves each x by a keyed hash of its y, within [0, size). size is at most 2^31, so sums fit. */
static void round_points(uint32_t *x, const uint32_t *y, uint32_t size, uint64_t key)
{
	uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);

	for (unsigned i = 0; i < PERMUTE_BATCH; i++) {
		uint32_t h = (y[i] ^ k0) * HASH_A, sum, wrapped;

		h ^= (h >> 15) ^ k1;
		h *= HASH_B;
		sum = x[i] + (uint32_t)(((uint64_t)h * size) >> 32);
		wrapped = sum - size;
		x[i] = wrapped < sum ? wrapped : sum;
	}
}

/* The numbers of the points; a bit for each of those beyond n. */
static uint64_t number_points(const struct permute *p, const struct points *at, uint64_t *number)
{
	uint64_t beyond = 0;

	for (unsigned i = 0; i < PERMUTE_BATCH; i++) {
		number[i] = at->row[i] * p->b + at->col[i];
		beyond |= (uint64_t)(number[i] >= p->n) << i;
	}
	return beyond;
}

#if defined(__x86_64__)
/* The same numbers by hand: compilers make of the widening multiply less than half this speed. */
__attribute__((target("avx2"))) static void round_points_avx2(uint32_t *x, const uint32_t *y, uint32_t size,
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

__attribute__((target("avx2"))) static uint64_t number_points_avx2(const struct permute *p,
								   const struct points *at, uint64_t *number)
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

static bool have_avx2(void)
{
	return __builtin_cpu_supports("avx2");
}
#else
static void round_points_avx2(uint32_t *x, const uint32_t *y, uint32_t size, uint64_t key)
{
	round_points(x, y, size, key);
}

static uint64_t number_points_avx2(const struct permute *p, const struct points *at, uint64_t *number)
{
	return number_points(p, at, number);
}

static bool have_avx2(void)
{
	return false;
}
#endif

static void move_points(const struct permute *p, struct points *at)
{
	void (*const move)(uint32_t *, const uint32_t *, uint32_t, uint64_t) =
		have_avx2() ? round_points_avx2 : round_points;

	move(at->row, at->col, (uint32_t)p->a, p->key[0]);
	move(at->col, at->row, (uint32_t)p->b, p->key[1]);
	move(at->row, at->col, (uint32_t)p->a, p->key[2]);
	move(at->col, at->row, (uint32_t)p->b, p->key[3]);
}

/* The next points in grid order. Nearly always they lie in one row. */
static void lay_points(const struct permute *p, struct points *at)
{
	uint32_t row = (uint32_t)(p->next / p->b), col = (uint32_t)(p->next % p->b), b = (uint32_t)p->b;

	for (unsigned i = 0; i < PERMUTE_BATCH; i++) {
		at->row[i] = row;
		at->col[i] = col + i;
	}
	if (b - col >= PERMUTE_BATCH)
		return;
	for (unsigned i = 0; i < PERMUTE_BATCH; i++) {
		at->row[i] = row;
		at->col[i] = col;
		if (++col == b) {
			col = 0;
			row++;
		}
	}
}

/* Leaves out the numbers whose bit is set; how many are left. */
static unsigned leave_out(uint64_t *number, uint64_t bits)
{
	unsigned have = PERMUTE_BATCH;

	if (bits)
		have = (unsigned)__builtin_ctzll(bits);
	for (unsigned i = have; i < PERMUTE_BATCH; i++) {
		number[have] = number[i];
		have += !(bits >> i & 1);
	}
	return have;
}

static void eval_batch(struct permute *p)
{
	struct points at;
	uint64_t left = p->a * p->b - p->next, out;

	lay_points(p, &at);
	move_points(p, &at);
	out = have_avx2() ? number_points_avx2(p, &at, p->batch) : number_points(p, &at, p->batch);
	if (left < PERMUTE_BATCH)
		out |= UINT64_MAX << left;
	p->next += left < PERMUTE_BATCH ? left : PERMUTE_BATCH;
	p->have = leave_out(p->batch, out);
}

unsigned permute_refill(struct permute *p)
{
	p->at = p->have = 0;
	while (p->have == 0 && p->next < p->a * p->b)
		eval_batch(p);
	return p->have;
}
