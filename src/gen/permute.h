/* permute.h: a keyed permutation of [0, n): every number once per pass, any n up to 2^62, no memory. A
   balanced Feistel network over an a x b grid, a = ceil(sqrt n), b = ceil(n / a), four rounds, points beyond
   n skipped. Evaluated a batch at a time, which vectorises. */
#ifndef PERMUTE_H
#define PERMUTE_H

#include <stdint.h>

#define PERMUTE_BATCH 64

struct permute {
	unsigned at, have; /* of the batch: taken, evaluated */
	uint64_t batch[PERMUTE_BATCH];
	uint64_t n, a, b;
	uint64_t key[4];
	uint64_t next; /* grid points used, for the next batch */
};

void permute_init(struct permute *p, uint64_t n, uint64_t key);
/* Starts another pass in the order that `key` gives. */
void permute_restart(struct permute *p, uint64_t key);
/* For permute_next and permute_ready alone: evaluates the next batch. How many numbers it has. */
unsigned permute_refill(struct permute *p);

/* How many numbers there are at p->batch + p->at, 0 when the pass is over. Who takes some of them adds them
   to p->at. */
static inline unsigned permute_ready(struct permute *p)
{
	return __builtin_expect(p->at < p->have, 1) ? p->have - p->at : permute_refill(p);
}

/* The next number of this pass, or UINT64_MAX when the pass is over. */
static inline uint64_t permute_next(struct permute *p)
{
	return __builtin_expect(permute_ready(p) != 0, 1) ? p->batch[p->at++] : UINT64_MAX;
}

#endif
