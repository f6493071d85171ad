/* no_avx2.c: the build chooses this file if the CPU family has no AVX2. cpu_has_avx2() is false there, so
   these functions are never called. */
#include <stdlib.h>
#include "content_mask.h"
#include "log_exp_four.h"
#include "permute_points.h"

size_t content_mask_avx2(unsigned char *to, const unsigned char *from, size_t bytes, uint64_t mask)
{
	return content_mask_lanes(to, from, bytes, mask);
}

void permute_round_avx2(uint32_t *x, const uint32_t *y, uint32_t size, uint64_t key)
{
	(void)x, (void)y, (void)size, (void)key;
	abort();
}

uint64_t permute_number_avx2(const struct permute *p, const struct points *at, uint64_t *number)
{
	(void)p, (void)at, (void)number;
	abort();
}

void log_batch_avx2(double *x, unsigned n)
{
	(void)x, (void)n;
	abort();
}

void exp_batch_avx2(double *x, unsigned n)
{
	(void)x, (void)n;
	abort();
}
