/* crc32c_sse42.c: CRC-32C by the CPU's instruction. The instruction takes three cycles and a new one starts
   in each, so three streams run side by side; a carry-less multiplication joins them. The build chooses this
   file on x86-64. */
#include "crc.h"

#include <nmmintrin.h>
#include <string.h>
#include <wmmintrin.h>

#define SSE42 __attribute__((target("sse4.2,pclmul")))

/* Bytes of one stream, and x^(8n - 33) and x^(16n - 33) modulo the polynomial, bits reversed: a product with
   them moves a register over n and 2n bytes. */
struct stride {
	size_t bytes;
	uint32_t over_one, over_two;
};

static const struct stride strides[] = {
	{ 1024, 0x170076fa, 0xa51b6135 },
	{ 256, 0xb9e02b86, 0xdd7e3b0c },
	{ 64, 0x9e4addf8, 0x0d3b6092 },
};
#define STRIDES (sizeof(strides) / sizeof(*strides))

static inline uint64_t word_at(const unsigned char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

SSE42 static inline uint64_t product(uint64_t a, uint32_t b)
{
	return (uint64_t)_mm_cvtsi128_si64(
		_mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)a), _mm_cvtsi32_si128((int)b), 0));
}

SSE42 static inline uint64_t three_streams(uint64_t r, const unsigned char *p, const struct stride *s)
{
	uint64_t second = 0, third = 0;

	for (const unsigned char *end = p + s->bytes; p < end; p += 8) {
		r = _mm_crc32_u64(r, word_at(p));
		second = _mm_crc32_u64(second, word_at(p + s->bytes));
		third = _mm_crc32_u64(third, word_at(p + 2 * s->bytes));
	}
	return _mm_crc32_u64(0, product(r, s->over_two) ^ product(second, s->over_one)) ^ third;
}

SSE42 uint32_t crc32c_sse42(const void *data, size_t bytes)
{
	const unsigned char *p = data;
	uint64_t r = 0xffffffff;

	for (size_t i = 0; i < STRIDES; i++) {
		for (size_t step = 3 * strides[i].bytes; bytes >= step; bytes -= step, p += step)
			r = three_streams(r, p, &strides[i]);
	}
	for (; bytes >= 8; bytes -= 8, p += 8)
		r = _mm_crc32_u64(r, word_at(p));
	for (; bytes; bytes--)
		r = _mm_crc32_u8((uint32_t)r, *p++);
	return (uint32_t)r;
}
