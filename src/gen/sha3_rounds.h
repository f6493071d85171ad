/* sha3_rounds.h: the permutation of SHA-3, compiled once for each set of instructions. Private to sha3. */
#ifndef SHA3_ROUNDS_H
#define SHA3_ROUNDS_H

#include <stdint.h>

#define SHA3_LANES  25
#define SHA3_ROUNDS 24

static const uint64_t sha3_constants[SHA3_ROUNDS] = {
	0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
	0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
	0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
	0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
	0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

static inline __attribute__((always_inline)) uint64_t sha3_rotl(uint64_t x, unsigned n)
{
	return n ? x << n | x >> (64 - n) : x;
}

/* One row of the next state: the lanes that come to it, turned, then chi. */
static inline __attribute__((always_inline)) void sha3_row(uint64_t *to, uint64_t b0, uint64_t b1,
							   uint64_t b2, uint64_t b3, uint64_t b4)
{
	to[0] = b0 ^ (~b1 & b2);
	to[1] = b1 ^ (~b2 & b3);
	to[2] = b2 ^ (~b3 & b4);
	to[3] = b3 ^ (~b4 & b0);
	to[4] = b4 ^ (~b0 & b1);
}

static inline __attribute__((always_inline)) void sha3_round(uint64_t *to, const uint64_t *a,
							     uint64_t constant)
{
	const uint64_t c0 = a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20], c1 = a[1] ^ a[6] ^ a[11] ^ a[16] ^ a[21],
		       c2 = a[2] ^ a[7] ^ a[12] ^ a[17] ^ a[22], c3 = a[3] ^ a[8] ^ a[13] ^ a[18] ^ a[23],
		       c4 = a[4] ^ a[9] ^ a[14] ^ a[19] ^ a[24];
	const uint64_t d0 = c4 ^ sha3_rotl(c1, 1), d1 = c0 ^ sha3_rotl(c2, 1), d2 = c1 ^ sha3_rotl(c3, 1),
		       d3 = c2 ^ sha3_rotl(c4, 1), d4 = c3 ^ sha3_rotl(c0, 1);

	sha3_row(to, a[0] ^ d0, sha3_rotl(a[6] ^ d1, 44), sha3_rotl(a[12] ^ d2, 43),
		 sha3_rotl(a[18] ^ d3, 21), sha3_rotl(a[24] ^ d4, 14));
	to[0] ^= constant;
	sha3_row(to + 5, sha3_rotl(a[3] ^ d3, 28), sha3_rotl(a[9] ^ d4, 20), sha3_rotl(a[10] ^ d0, 3),
		 sha3_rotl(a[16] ^ d1, 45), sha3_rotl(a[22] ^ d2, 61));
	sha3_row(to + 10, sha3_rotl(a[1] ^ d1, 1), sha3_rotl(a[7] ^ d2, 6), sha3_rotl(a[13] ^ d3, 25),
		 sha3_rotl(a[19] ^ d4, 8), sha3_rotl(a[20] ^ d0, 18));
	sha3_row(to + 15, sha3_rotl(a[4] ^ d4, 27), sha3_rotl(a[5] ^ d0, 36), sha3_rotl(a[11] ^ d1, 10),
		 sha3_rotl(a[17] ^ d2, 15), sha3_rotl(a[23] ^ d3, 56));
	sha3_row(to + 20, sha3_rotl(a[2] ^ d2, 62), sha3_rotl(a[8] ^ d3, 55), sha3_rotl(a[14] ^ d4, 39),
		 sha3_rotl(a[15] ^ d0, 41), sha3_rotl(a[21] ^ d1, 2));
}

static inline __attribute__((always_inline)) void sha3_rounds(uint64_t *a)
{
	uint64_t b[SHA3_LANES];

	for (unsigned r = 0; r < SHA3_ROUNDS; r += 2) {
		sha3_round(b, a, sha3_constants[r]);
		sha3_round(a, b, sha3_constants[r + 1]);
	}
}

/* The same for CPUs with BMI2, which turn a word without a copy. Call it only where cpu_has_bmi2(). */
void sha3_rounds_bmi2(uint64_t *a);

#endif
