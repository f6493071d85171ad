/* hist.h: a log-linear histogram of nanoseconds, 64 buckets per octave up to 2^45 ns (9.7 hours): a bucket is
   at most 1/64 of its value wide, values below 128 are exact. The first 1856 buckets are fio's. */
#ifndef HIST_H
#define HIST_H

#include <stdint.h>

#define HIST_BUCKETS     2560
#define HIST_FIO_BUCKETS 1856

/* One writer. lo..hi is the span of used buckets (lo > hi: empty), so that a copy touches only pages in use.
 */
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

/* Empties any memory. */
void hist_init(struct hist *h);
/* Empties zeroed memory or a histogram in use, touching only pages in use. */
void hist_reset(struct hist *h);
/* Lowest value of bucket i, and the value fio reports for it (the midpoint). */
uint64_t hist_low(unsigned i);
uint64_t hist_mid(unsigned i);
void hist_merge(struct hist *to, const struct hist *from);
/* Copies only the used span. `to` must be initialised (hist_init or hist_reset); its content is replaced. */
void hist_copy(struct hist *to, const struct hist *from);
/* Takes one away, from the used bucket that is nearest to ns. */
void hist_drop(struct hist *h, double ns);
uint64_t hist_total(const struct hist *h);
/* The buckets that are not empty, ascending: their midpoints and counts. The arrays hold HIST_BUCKETS.
   Returns how many. */
unsigned hist_bins(const struct hist *h, uint64_t *mid, uint64_t *count);
/* I/Os below `ns`: whole buckets, those whose midpoint is below. */
uint64_t hist_below(const struct hist *h, uint64_t ns);
/* Midpoint of the first bucket whose cumulative count reaches p percent of `total`, clamped to [min, max]; 0
   if total is 0. */
uint64_t hist_percentile(const struct hist *h, uint64_t total, double p, uint64_t min, uint64_t max);

#endif
