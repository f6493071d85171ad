/* scatter.h: a keyed one-to-one mapping of [0, n) for any n up to 2^62, without memory: it scatters ranks
   over a range. As in permute.h it is a balanced Feistel network over a grid, but the grid's width is a power
   of two. */
#ifndef SCATTER_H
#define SCATTER_H

#include <stdint.h>
#include "permute.h"

#define SCATTER_BATCH PERMUTE_BATCH

struct scatter {
	uint64_t n;
	uint32_t rows;
	unsigned col_bits; /* the grid has 2^col_bits columns */
	uint64_t key[4];
};

/* n > 0 */
void scatter_init(struct scatter *s, uint64_t n, uint64_t key);
uint64_t scatter_one(const struct scatter *s, uint64_t number);
/* Maps each number of a batch as scatter_one does. */
void scatter_batch(const struct scatter *s, uint64_t *number);

#endif
