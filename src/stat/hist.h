/* hist.h: a log-linear histogram of nanoseconds, 64 buckets per octave up to 2^45 ns (9.7 hours): a bucket is
   at most 1/64 of its value wide, values below 128 are exact. The first 1856 buckets are fio's. */
#ifndef HIST_H
#define HIST_H

#include <stddef.h>
#include <stdint.h>

#define HIST_BUCKETS     2560
#define HIST_FIO_BUCKETS 1856

/* A histogram has one writer. Only buckets lo..hi are in use (lo > hi: empty), so that a copy touches only
   pages in use. */
struct hist {
	uint32_t lo, hi;
	uint64_t n[HIST_BUCKETS];
};

static inline unsigned hist_index(uint64_t ns)
{
	unsigned shift;

	if (ns < 128)
		return (unsigned)ns;
	if (ns >= (uint64_t)1 << 45)
		return HIST_BUCKETS - 1;
	shift = 57u - (unsigned)__builtin_clzll(ns);
	return (shift << 6) + (unsigned)(ns >> shift);
}

static inline void hist_add(struct hist *h, uint64_t ns)
{
	unsigned i = hist_index(ns);

	h->n[i]++;
	if (i < h->lo)
		h->lo = i;
	if (i > h->hi)
		h->hi = i;
}

/* Makes an empty histogram of memory with any content. */
void hist_init(struct hist *h);
/* Empties a histogram in use, or initialises zeroed memory. Touches only pages in use. */
void hist_reset(struct hist *h);
/* hist_low returns the lowest value of bucket i. hist_mid returns the midpoint, which fio reports for it. */
uint64_t hist_low(unsigned i);
uint64_t hist_mid(unsigned i);
/* Adds n samples to a bucket. */
static inline void hist_add_bucket(struct hist *h, unsigned bucket, uint64_t n)
{
	h->n[bucket] += n;
	h->lo = bucket < h->lo ? bucket : h->lo;
	h->hi = bucket > h->hi ? bucket : h->hi;
}
/* Adds the output of hist_bins. */
void hist_add_bins(struct hist *h, const uint64_t *mid, const uint64_t *count, size_t n);
void hist_merge(struct hist *to, const struct hist *from);
/* Replaces the content of `to`, which must be initialised (hist_init or hist_reset). Copies only the buckets
   in use. */
void hist_copy(struct hist *to, const struct hist *from);
/* Removes one sample from the used bucket that is nearest to ns. */
void hist_drop(struct hist *h, double ns);
uint64_t hist_total(const struct hist *h);
/* Stores the midpoints and counts of the buckets that are not empty, in ascending order, and returns their
   number. Both arrays have room for HIST_BUCKETS. */
unsigned hist_bins(const struct hist *h, uint64_t *mid, uint64_t *count);
/* Returns the number of I/Os below `ns`. A bucket counts as a whole, by its midpoint. */
uint64_t hist_below(const struct hist *h, uint64_t ns);
/* Returns the midpoint of the first bucket at which the cumulative count reaches p percent of `total`,
   clamped to [min, max]; 0 if total is 0. */
uint64_t hist_percentile(const struct hist *h, uint64_t total, double p, uint64_t min, uint64_t max);

#endif
