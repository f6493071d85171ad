/* log_exp_four.h: logarithms and exponentials of four numbers at a time. Private to log_exp. */
#ifndef LOG_EXP_FOUR_H
#define LOG_EXP_FOUR_H

#include <stdint.h>
#include <string.h>
#include "log_exp.h"

/* One AVX register, or two of SSE. */
typedef double four_doubles __attribute__((vector_size(32)));
typedef int64_t four_integers __attribute__((vector_size(32)));

/* log(2) in two parts. A small integer times the first part is exact. */
#define LN2_HI 0x1.62e42feep-1
#define LN2_LO 0x1.a39ef35793c76p-33
/* A number below 2^51 plus this has the rounded number in its low bits. */
#define ROUNDER      0x1.8p52
#define ROUNDER_BITS 0x4338000000000000

/* x = m 2^k with m from sqrt(1/2) to sqrt(2), and log(m) = 2 atanh((m - 1) / (m + 1)). */
static inline __attribute__((always_inline)) void log_four(double *to)
{
	const four_integers sqrt_half = (four_integers){ 0 } + 0x3fe6a09e667f3bcd;
	four_doubles m, k, s, z, sum;
	four_integers bits, exponent;

	memcpy(&bits, to, sizeof(bits));
	bits -= sqrt_half;
	exponent = (bits >> 52) + ROUNDER_BITS;
	bits = (bits & 0xfffffffffffff) + sqrt_half;
	m = (four_doubles)bits;
	k = (four_doubles)exponent - ROUNDER;
	s = (m - 1.0) / (m + 1.0);
	z = s * s;
	sum = 1.0 / 17 + z * (1.0 / 19 + z * (1.0 / 21));
	sum = 1.0 / 11 + z * (1.0 / 13 + z * (1.0 / 15 + z * sum));
	sum = 1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9 + z * sum));
	sum = k * LN2_LO + 2.0 * s * z * (1.0 / 3 + z * sum);
	sum = k * LN2_HI + (2.0 * s + sum);
	memcpy(to, &sum, sizeof(sum));
}

/* x = k log(2) + f with f from -log(2)/2 to log(2)/2. */
static inline __attribute__((always_inline)) void exp_four(double *to)
{
	const four_doubles limit = (four_doubles){ 0 } + 700.0;
	four_doubles x, k, f, sum;
	four_integers scale, below, above;

	memcpy(&x, to, sizeof(x));
	below = x < -limit;
	above = x > limit;
	x = (four_doubles)(((four_integers)x & ~below & ~above) | ((four_integers)-limit & below) |
			   ((four_integers)limit & above));
	k = x * 0x1.71547652b82fep0 + ROUNDER;
	scale = (four_integers)k;
	k -= ROUNDER;
	f = (x - k * LN2_HI) - k * LN2_LO;
	sum = 1.0 / 39916800 + f * (1.0 / 479001600 + f * (1.0 / 6227020800));
	sum = 1.0 / 40320 + f * (1.0 / 362880 + f * (1.0 / 3628800 + f * sum));
	sum = 1.0 / 120 + f * (1.0 / 720 + f * (1.0 / 5040 + f * sum));
	sum = 1.0 + f * (1.0 + f * (1.0 / 2 + f * (1.0 / 6 + f * (1.0 / 24 + f * sum))));
	scale = (scale << 52) + 0x3ff0000000000000; /* 2^k; the bits of ROUNDER are shifted out */
	sum *= (four_doubles)scale;
	memcpy(to, &sum, sizeof(sum));
}

/* As log_batch and exp_batch, on CPUs with AVX2. Call them only if cpu_has_avx2(). */
void log_batch_avx2(double *x, unsigned n);
void exp_batch_avx2(double *x, unsigned n);

#endif
