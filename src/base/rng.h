/* rng.h: seeded random numbers (xoshiro256++, seeded through splitmix64; Blackman and Vigna, public domain).
   The same seed gives the same sequence on every machine. */
#ifndef RNG_H
#define RNG_H

#include <stdint.h>

struct rng {
	uint64_t s[4];
};

static inline uint64_t rng_mix64(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

/* Returns the y for which y ^ y >> bits is x. */
static inline uint64_t rng_unshift(uint64_t x, unsigned bits)
{
	uint64_t y = x;

	for (unsigned done = bits; done < 64; done += bits)
		y = x ^ y >> bits;
	return y;
}

/* Inverts rng_mix64(). */
static inline uint64_t rng_unmix64(uint64_t x)
{
	x = rng_unshift(x, 31) * 0x319642b2d24d8ec3u;
	x = rng_unshift(x, 27) * 0x96de1b173f119089u;
	return rng_unshift(x, 30) - 0x9e3779b97f4a7c15u;
}

static inline void rng_init(struct rng *r, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		r->s[i] = seed = rng_mix64(seed + (uint64_t)i);
}

static inline uint64_t rng_u64(struct rng *r)
{
	uint64_t *s = r->s, t = s[1] << 17, x = s[0] + s[3], out = ((x << 23) | (x >> 41)) + s[0];

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = (s[3] << 45) | (s[3] >> 19);
	return out;
}

/* Returns a uniform number in [0, n); n > 0. It is the high half of a product; its bias is below
   n / 2^64. */
static inline uint64_t rng_below(struct rng *r, uint64_t n)
{
	__extension__ typedef unsigned __int128 u128;

	return (uint64_t)(((u128)rng_u64(r) * n) >> 64);
}

/* Returns a uniform number in [0, 1). */
static inline double rng_double(struct rng *r)
{
	return (double)(rng_u64(r) >> 11) * 0x1.0p-53;
}

#endif
