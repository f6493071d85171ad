/* scale.h: a number times a fraction, where the product needs more than 64 bits; the common divisor. */
#ifndef SCALE_H
#define SCALE_H

#include <stdint.h>

#define SCALE_NS 1000000000u /* scale(count, SCALE_NS, ns) is the count per second */

/* Returns v * num / den, rounded down; UINT64_MAX if the result is larger. den must not be 0. */
static inline uint64_t scale(uint64_t v, uint64_t num, uint64_t den)
{
	__extension__ typedef unsigned __int128 u128;
	u128 q = (u128)v * num / den;

	return q > UINT64_MAX ? UINT64_MAX : (uint64_t)q;
}

/* Returns the same, rounded to the nearest integer. */
static inline uint64_t scale_round(uint64_t v, uint64_t num, uint64_t den)
{
	__extension__ typedef unsigned __int128 u128;
	u128 q = ((u128)v * num + den / 2) / den;

	return q > UINT64_MAX ? UINT64_MAX : (uint64_t)q;
}

/* Returns the share of v that belongs to the range from `from` to `until` of a whole of length `of`. The
   shares of adjacent ranges add up to v. */
static inline uint64_t scale_part(uint64_t v, uint64_t from, uint64_t until, uint64_t of)
{
	return scale(v, until, of) - scale(v, from, of);
}

/* Returns the greatest common divisor; b if a is 0. */
static inline uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

#endif
