#include "collect_span_parts.h"

#include <math.h>

bool collect_buckets_add(struct per_file_bucket **to, const struct per_file_bucket *from, uint32_t n,
			 struct arena *mem)
{
	if (!*to && n)
		*to = arena_array(mem, n, sizeof(**to));
	if (!*to)
		return !n;
	for (uint32_t i = 0; i < n; i++)
		for (unsigned d = 0; d < PER_FILE_DIRS; d++)
			moments_merge(&(*to)[i].lat[d], &from[i].lat[d]);
	return true;
}

static uint64_t ios(const struct per_file_bucket *b, enum span_kind kind)
{
	if (kind == SPAN_TOTAL)
		return b->lat[DIR_READ].n + b->lat[DIR_WRITE].n;
	return b->lat[kind == SPAN_READ ? DIR_READ : DIR_WRITE].n;
}

/* Returns how many intervals there are up to the last one with an I/O. */
static uint32_t used(const struct per_file_bucket *v, uint32_t n, enum span_kind kind)
{
	while (n && !ios(&v[n - 1], kind))
		n--;
	return n;
}

/* Returns the standard deviation of the population. */
static double deviation(const struct per_file_bucket *v, uint32_t n, enum span_kind kind, double seconds)
{
	double sum = 0, squares = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += (double)ios(&v[i], kind);
	for (uint32_t i = 0; i < n; i++) {
		double off = (double)ios(&v[i], kind) - sum / n;

		squares += off * off;
	}
	return n ? sqrt(squares / n) / seconds : 0;
}

size_t collect_buckets_convert(const struct per_file_bucket *from, uint32_t n, uint64_t len_ns,
			       const struct span_bucket **to, struct span_flow flow[SPAN_KINDS],
			       struct arena *mem)
{
	uint32_t last = used(from, n, SPAN_TOTAL);
	struct span_bucket *v = arena_array(mem, last ? last : 1, sizeof(*v));
	double seconds = (double)len_ns / 1e9;

	*to = v;
	for (unsigned kind = 0; kind < SPAN_KINDS; kind++)
		flow[kind].iops_stddev = deviation(from, used(from, n, kind), kind, seconds);
	for (uint32_t i = 0; v && i < last; i++) {
		v[i].end_ms = (i + 1) * len_ns / 1000000;
		for (unsigned kind = 0; kind < SPAN_KINDS; kind++)
			v[i].iops_s[kind] = (double)ios(&from[i], kind) / seconds;
		collect_lats_moments(&v[i].lat[0], &from[i].lat[DIR_READ]);
		collect_lats_moments(&v[i].lat[1], &from[i].lat[DIR_WRITE]);
	}
	return v ? last : 0;
}
