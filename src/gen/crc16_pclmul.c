/* crc16_pclmul.c: CRC-16/T10-DIF by carry-less multiplication. Four streams of 16 bytes take turns, because a
   product takes several cycles and the next one need not wait for it. A product with x^n modulo the
   polynomial moves 64 bits over n bits. The build chooses this file on x86-64. */
#include "crc.h"

#include <string.h>
#include <tmmintrin.h>
#include <wmmintrin.h>

#define PCLMUL  __attribute__((target("ssse3,pclmul")))
#define STREAMS 4u
#define CHUNK   16u

/* What moves a chunk over one chunk, and over four: x^n (for the lower half) and x^(n + 64), where n is 128
   and 512. */
#define OVER_ONE  _mm_set_epi64x(0x1faa, 0xa010)
#define OVER_FOUR _mm_set_epi64x(0xdd31, 0x1069)

/* Returns 16 bytes as a polynomial: the first byte has the highest powers. */
PCLMUL static inline __m128i chunk_at(const unsigned char *p)
{
	const __m128i reverse = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);

	return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), reverse);
}

PCLMUL static inline __m128i moved(__m128i r, __m128i over, __m128i next)
{
	__m128i low = _mm_clmulepi64_si128(r, over, 0x00), high = _mm_clmulepi64_si128(r, over, 0x11);

	return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

PCLMUL uint16_t crc16_t10dif_pclmul(uint16_t crc, const void *data, size_t bytes)
{
	const unsigned char *p = data;
	__m128i r[STREAMS];
	unsigned char rest[CHUNK];

	if (bytes < STREAMS * CHUNK)
		return crc16_t10dif_table(crc, data, bytes);
	for (unsigned i = 0; i < STREAMS; i++)
		r[i] = chunk_at(p + i * CHUNK);
	r[0] = _mm_xor_si128(r[0], _mm_set_epi64x((long long)((uint64_t)crc << 48), 0));
	p += STREAMS * CHUNK;
	bytes -= STREAMS * CHUNK;
	for (; bytes >= STREAMS * CHUNK; bytes -= STREAMS * CHUNK, p += STREAMS * CHUNK)
		for (unsigned i = 0; i < STREAMS; i++)
			r[i] = moved(r[i], OVER_FOUR, chunk_at(p + i * CHUNK));
	for (unsigned i = 1; i < STREAMS; i++)
		r[0] = moved(r[0], OVER_ONE, r[i]);
	_mm_storeu_si128((__m128i *)(void *)rest, r[0]);
	_mm_storeu_si128((__m128i *)(void *)rest, chunk_at(rest));
	return crc16_t10dif_table(crc16_t10dif_table(0, rest, CHUNK), p, bytes);
}
