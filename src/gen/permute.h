/* permute.h: a keyed permutation of [0, n): every number once per pass, for any n up to 2^62, without
   memory. It is a balanced Feistel network of four rounds over an a x b grid, a = ceil(sqrt n), b = ceil(n
   / a); grid points beyond n are skipped. Numbers are computed a batch at a time, which vectorises. */
#ifndef PERMUTE_H
#define PERMUTE_H

#include <stdbool.h>
#include <stdint.h>

#define PERMUTE_BATCH 64

struct permute {
	unsigned batch_pos, batch_len; /* next number of the batch, and its length */
	uint64_t batch[PERMUTE_BATCH];
	uint64_t n, a, b;
	uint64_t key[4];
	uint64_t next_point; /* grid points used so far */
};

void permute_init(struct permute *p, uint64_t n, uint64_t key);
/* Starts another pass, in an order that `key` decides. */
void permute_restart(struct permute *p, uint64_t key);
/* For permute_next and permute_ready only: computes the next batch and returns its length. */
unsigned permute_refill(struct permute *p);

/* Returns how many numbers are ready at p->batch + p->batch_pos; 0 when the pass is over. A caller that takes
   some adds their number to p->batch_pos. */
static inline unsigned permute_ready(struct permute *p)
{
	return __builtin_expect(p->batch_pos < p->batch_len, 1) ? p->batch_len - p->batch_pos
								: permute_refill(p);
}

/* Returns the next number of this pass, or UINT64_MAX when the pass is over. */
static inline uint64_t permute_next(struct permute *p)
{
	return __builtin_expect(permute_ready(p) != 0, 1) ? p->batch[p->batch_pos++] : UINT64_MAX;
}

/* Returns the point of the grid at which each pass with the present key draws this number, which must be
   below n. A number that is drawn later has a larger point; points without a number make gaps. */
uint64_t permute_point(const struct permute *p, uint64_t number);
/* Returns whether this pass has drawn the number already. */
bool permute_drawn(const struct permute *p, uint64_t number);

#endif
