#include "profile.h"

/* Returns how many bytes after the base I/O can reach. Of an existing file that is longer than -c, only the
   length of -c counts. */
static uint64_t usable_bytes(const struct ds_target *t, uint64_t size)
{
	uint64_t end = t->max_size && t->max_size < size ? t->max_size : size;

	if (t->create_size && t->create_size < end)
		end = t->create_size;

	return end > t->base ? end - t->base : 0;
}

static uint64_t percent_of(uint64_t len, uint64_t percent)
{
	return percent >= 100 ? len : len / 100 * percent + len % 100 * percent / 100;
}

/* Returns the end of the next range, neither aligned nor cut. *at is the end of the ranges before, in percent
   or bytes; it moves on. */
static uint64_t next_bound(const struct ds_target *t, const struct ds_range *range, uint64_t *at,
			   uint64_t len)
{
	if (t->dist == DS_ABSOLUTE && !range->length)
		return *at = len;
	*at = *at + range->length < *at ? UINT64_MAX : *at + range->length;
	return t->dist == DS_ABSOLUTE ? *at : percent_of(len, *at);
}

/* Adds the share of trailing ranges that are too small to the last range with I/O. */
static void add_to_last(struct ds_effective_range *v, size_t n, double share)
{
	while (n--) {
		if (v[n].io_percent <= 0)
			continue;
		v[n].io_percent += share;
		return;
	}
}

static void scale(struct ds_effective_range *v, size_t n)
{
	double all = 0;

	for (size_t i = 0; i < n; i++)
		all += v[i].io_percent;
	for (size_t i = 0; i < n && all > 0; i++)
		v[i].io_percent *= 100 / all;
}

size_t ds_effective_ranges(const struct ds_target *t, uint64_t size, struct ds_effective_range *out,
			   bool *cut)
{
	uint64_t len = usable_bytes(t, size), align = t->stride ? t->stride : t->block, at = 0, begin = 0;
	double pending_share = 0; /* share of ranges that are too small for a block */
	size_t n = 0;

	*cut = false;
	if (t->dist == DS_UNIFORM || len < t->block || !align)
		return 0;
	for (size_t i = 0; i < t->nranges; i++) {
		uint64_t end = next_bound(t, &t->ranges[i], &at, len);

		if (begin >= len) {
			*cut |= t->ranges[i].io_percent > 0;
			continue;
		}
		end = end >= len ? len : end - end % align;
		if (end <= begin) {
			pending_share += t->ranges[i].io_percent;
			continue;
		}
		out[n++] = (struct ds_effective_range){ t->ranges[i].io_percent, begin, end };
		if (t->ranges[i].io_percent) {
			out[n - 1].io_percent += pending_share;
			pending_share = 0;
		}
		begin = end;
	}
	add_to_last(out, n, pending_share);
	scale(out, n);
	return n;
}
