/* skew.h: draws places of a range, some of them more often than others. Pure and seeded. It needs no table
   that grows with the range and no sum over it, so that jobs on a range of any size start at once.

   zipf: rank k, k = 1, 2 ... n, is drawn with probability k^-theta / (1 + 2^-theta + ... + n^-theta), by
   rejection-inversion (Hoermann and Derflinger, 1996), exactly but for the rounding of doubles.

   pareto: a share h of the places gets a share 1 - h of the draws, and so on within that share: the hottest k
   places get (k / n)^(log(1 - h) / log(h)). 0.2 is "80/20"; 0.5 is uniform. Above 0.5 the share h is that of
   the coldest places: with 0.8, 80 % of the places get 20 % of the draws, and so on within these.

   normal: a bell over the range, with the mean at the center, and a deviation in percent of the range. A draw
   beyond the ends is repeated.

   Draws are computed in batches, so that the compiler can vectorise them. */
#ifndef SKEW_H
#define SKEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "permute.h"
#include "rng.h"

struct skew_entry;

/* scatter.c: a keyed one-to-one mapping of [0, n) for any n up to 2^62, without memory: it scatters ranks
   over a range. As in permute.h it is a balanced Feistel network over a grid, but the grid's width is a power
   of two. */

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

/* skew.c: */

#define SKEW_BATCH     SCATTER_BATCH
#define SKEW_BATCH_FEW 8 /* for many files, whose batches would need much memory */

enum skew_kind { SKEW_ZIPF, SKEW_PARETO, SKEW_NORMAL };

struct skew_cfg {
	enum skew_kind kind;
	bool centered; /* center is given */
	double param;  /* theta, h, or the deviation in percent */
	double center; /* where in the range the hottest place is, 0 to 1 */
};

/* The parameters of draws among n places. Read-only once it is set up, so any number of files share it. */
struct skew {
	enum skew_kind kind;
	unsigned batch; /* draws that are computed at once, SKEW_BATCH or SKEW_BATCH_FEW */
	bool scattered; /* scatter maps ranks to places */
	bool near_one;  /* zipf: theta is close to 1; see skew.c */
	bool reversed;  /* pareto: h is above 0.5 */
	uint64_t n;
	uint64_t shift;         /* is added to each place, modulo n */
	double theta;           /* zipf */
	double power;           /* zipf: 1 / (1 - theta); pareto: log(h) / log(1 - h) */
	double lo, width;       /* zipf: the uniform numbers that are inverted; see skew.c */
	double squeeze;         /* zipf: see skew.c */
	double mean, deviation; /* normal: in places */
	struct scatter scatter;
};

/* Draws that are ready. Only the first `batch` places of its skew need memory: see skew_batch_bytes. */
struct skew_batch {
	unsigned pos, len; /* next place, and how many there are */
	uint64_t place[SKEW_BATCH];
};

/* Prepares draws among n places, 0 < n <= 2^62. Rank 1 is the first place, or that at the center. */
void skew_init(struct skew *s, const struct skew_cfg *cfg, uint64_t n);
/* zipf and pareto: scatters the ranks over the range. The key decides where the hot places are; rank 1 stays
   at the center if the configuration has one. */
void skew_scatter(struct skew *s, const struct skew_cfg *cfg, uint64_t key);

/* Returns the memory of a batch of so many draws. */
static inline size_t skew_batch_bytes(unsigned batch)
{
	return offsetof(struct skew_batch, place) + batch * sizeof(uint64_t);
}

/* Empties a batch: a new one, or that of a caller that sets its random numbers anew. */
static inline void skew_restart(struct skew_batch *b)
{
	b->pos = b->len = 0;
}

/* For skew_draw only. */
void skew_refill(const struct skew *s, struct skew_batch *b, struct rng *r);

/* Draws a place below n. All draws since skew_restart must have the same s and r. */
static inline uint64_t skew_draw(const struct skew *s, struct skew_batch *b, struct rng *r)
{
	if (__builtin_expect(b->pos == b->len, 0))
		skew_refill(s, b, r);
	return b->place[b->pos++];
}

/* skew_table.c: the skews of a worker's files: one for each configuration and number of places, however many
   files share it. */

struct skew_table {
	uint64_t hot_seed; /* decides where the hot places are */
	unsigned batch;    /* skew.batch of all skews */
	struct skew_entry **buckets;
	size_t nbuckets, n; /* nbuckets: a power of two; n: skews */
};

void skew_table_init(struct skew_table *t, uint64_t hot_seed, unsigned batch);
void skew_table_fini(struct skew_table *t);
/* Returns the skew, which lives as long as the table; NULL if memory is short. */
const struct skew *skew_table_get(struct skew_table *t, const struct skew_cfg *cfg, uint64_t places);

#endif
