/* content_mask.h: copies bytes and combines them with a repeated 64-bit mask, many at once. Masks make blocks
   share no run of bytes that a compressor could find, at a tenth of the cost of new random bytes. Private to
   content and verify_data. */
#ifndef CONTENT_MASK_H
#define CONTENT_MASK_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t lanes __attribute__((vector_size(32), aligned(1), may_alias));

/* Stores from ^ mask in `to`, in steps of 128 bytes. Returns how many bytes are done; the caller does the
   rest. */
static inline __attribute__((always_inline)) size_t
content_mask_lanes(unsigned char *to, const unsigned char *from, size_t bytes, uint64_t mask)
{
	const uint64_t le = htole64(mask);
	const lanes m = { le, le, le, le };
	size_t at = 0;

	for (; at + 4 * sizeof(m) <= bytes; at += 4 * sizeof(m)) {
		lanes *t = (lanes *)(void *)(to + at);
		const lanes *f = (const lanes *)(const void *)(from + at);

		t[0] = f[0] ^ m;
		t[1] = f[1] ^ m;
		t[2] = f[2] ^ m;
		t[3] = f[3] ^ m;
	}
	return at;
}

/* to = from ^ mask, the lowest byte of the mask first on all machines. */
void content_mask(unsigned char *to, const unsigned char *from, size_t bytes, uint64_t mask);

/* content_mask_lanes() compiled for AVX2. Call it only where cpu_has_avx2(). */
size_t content_mask_avx2(unsigned char *to, const unsigned char *from, size_t bytes, uint64_t mask);

#endif
