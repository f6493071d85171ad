#include <string.h>
#include "hist.h"

static void set_empty(struct hist *h)
{
	h->lo = HIST_BUCKETS;
	h->hi = 0;
}

void hist_init(struct hist *h)
{
	memset(h->n, 0, sizeof(h->n));
	set_empty(h);
}

/* Clears the buckets in use. In zeroed memory only bucket 0 counts as in use; it shares the page of lo and
   hi. */
void hist_reset(struct hist *h)
{
	for (uint64_t i = h->lo; i <= h->hi && i < HIST_BUCKETS; i++)
		h->n[i] = 0;
	set_empty(h);
}

static unsigned width_bits(unsigned i)
{
	return i < 128 ? 0 : i / 64 - 1;
}

uint64_t hist_low(unsigned i)
{
	unsigned bits = width_bits(i);

	return (uint64_t)(i - bits * 64) << bits;
}

uint64_t hist_mid(unsigned i)
{
	return hist_low(i) + ((uint64_t)1 << width_bits(i)) / 2;
}

void hist_merge(struct hist *to, const struct hist *from)
{
	for (uint64_t i = from->lo; i <= from->hi; i++)
		to->n[i] += from->n[i];
	to->lo = from->lo < to->lo ? from->lo : to->lo;
	to->hi = from->hi > to->hi ? from->hi : to->hi;
}

void hist_copy(struct hist *to, const struct hist *from)
{
	hist_reset(to);
	hist_merge(to, from);
}

void hist_drop(struct hist *h, double ns)
{
	double nearest = 0;
	uint32_t at = HIST_BUCKETS;

	for (uint32_t i = h->lo; i <= h->hi && i < HIST_BUCKETS; i++) {
		double off = ns > (double)hist_mid(i) ? ns - (double)hist_mid(i) : (double)hist_mid(i) - ns;

		if (h->n[i] && (at == HIST_BUCKETS || off < nearest)) {
			at = i;
			nearest = off;
		}
	}
	if (at < HIST_BUCKETS)
		h->n[at]--;
}

uint64_t hist_total(const struct hist *h)
{
	uint64_t total = 0;

	for (uint64_t i = h->lo; i <= h->hi; i++)
		total += h->n[i];
	return total;
}

unsigned hist_bins(const struct hist *h, uint64_t *mid, uint64_t *count)
{
	unsigned n = 0;

	for (uint32_t i = h->lo; i <= h->hi && i < HIST_BUCKETS; i++) {
		if (!h->n[i])
			continue;
		mid[n] = hist_mid(i);
		count[n++] = h->n[i];
	}
	return n;
}

void hist_add_bins(struct hist *h, const uint64_t *mid, const uint64_t *count, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hist_add_bucket(h, hist_index(mid[i]), count[i]);
}

uint64_t hist_below(const struct hist *h, uint64_t ns)
{
	uint64_t below = 0;

	for (uint64_t i = h->lo; i <= h->hi && hist_mid((unsigned)i) < ns; i++)
		below += h->n[i];
	return below;
}

static uint64_t clamp(uint64_t value, uint64_t min, uint64_t max)
{
	value = value > min ? value : min;
	return value < max ? value : max;
}

uint64_t hist_percentile(const struct hist *h, uint64_t total, double p, uint64_t min, uint64_t max)
{
	/* p / 100 would be rounded, so that n copies of the I/Os could have other percentiles. */
	long double need = (long double)p * (long double)total;
	uint64_t sum = 0, i = h->lo;

	if (total == 0 || h->lo > h->hi)
		return 0;
	for (; i < h->hi; i++) {
		sum += h->n[i];
		if (100 * (long double)sum >= need)
			break;
	}
	return clamp(hist_mid((unsigned)i), min, max);
}
