/* content_avx2.c: content_mask_lanes() compiled for AVX2. The build chooses this file on x86-64. */

#include "content_mask.h"

__attribute__((target("avx2"))) size_t content_mask_avx2(unsigned char *to, const unsigned char *from,
							 size_t bytes, uint64_t mask)
{
	return content_mask_lanes(to, from, bytes, mask);
}
