/* bulk_no_avx2.c: the build chooses this file on machines other than x86-64. cpu_has_avx2() is false there,
   so these functions are never called. */
#include <stdlib.h>
#include "bulk_vector.h"

bool bulk_sum_avx2(struct bulk_sums *s, const uint64_t *ns, unsigned n)
{
	(void)s, (void)ns, (void)n;
	abort();
}

bool bulk_sum_pairs_avx2(struct bulk_sums *s, uint64_t *clat, const struct wstat_pair *pair, unsigned n)
{
	(void)s, (void)clat, (void)pair, (void)n;
	abort();
}

void bulk_index_avx2(uint64_t *index, const uint64_t *ns, unsigned n)
{
	(void)index, (void)ns, (void)n;
	abort();
}
