#include "interval_sum.h"

#include <stdlib.h>

static struct ival_sum_lat *lat_of(struct ival_sum_dir *d, unsigned kind)
{
	struct ival_sum_lat *l = d->lat[kind];

	if (!l && (l = d->lat[kind] = calloc(1, sizeof(*l))))
		hist_reset(&l->hist);
	return l;
}

/* Adds the counts of a latency; `to` has none yet if its n is 0. */
static void add_lat_counts(struct ival_sum_lat *to, uint64_t n, uint64_t sum, uint64_t min, uint64_t max,
			   bool bins)
{
	if (!to->n || min < to->min)
		to->min = min;
	if (!to->n || max > to->max)
		to->max = max;
	to->bins = bins && (!to->n || to->bins);
	to->n += n;
	to->sum += sum;
}

void ival_sum_add(struct ival_sum *s, const struct ival *rec)
{
	for (unsigned d = 0; d < DIR_COUNT; d++) {
		const struct ival_dir *from = &rec->dir[d];
		struct ival_sum_dir *to = &s->dir[d];

		to->ios += from->ios;
		to->bytes += from->bytes;
		to->errors += from->errors;
		to->unfinished += from->unfinished;
		for (unsigned k = 0; k < LAT_KINDS; k++) {
			const struct ival_lat *l = &from->lat[k];
			struct ival_sum_lat *sum = l->n ? lat_of(to, k) : NULL;

			if (!sum)
				continue;
			add_lat_counts(sum, l->n, l->sum, l->min, l->max, l->bins);
			if (l->bins)
				ival_add_bins(l, &sum->hist);
		}
	}
}

void ival_sum_merge(struct ival_sum *s, const struct ival_sum *other)
{
	for (unsigned d = 0; d < DIR_COUNT; d++) {
		const struct ival_sum_dir *from = &other->dir[d];
		struct ival_sum_dir *to = &s->dir[d];

		to->ios += from->ios;
		to->bytes += from->bytes;
		to->errors += from->errors;
		to->unfinished += from->unfinished;
		for (unsigned k = 0; k < LAT_KINDS; k++) {
			const struct ival_sum_lat *l = from->lat[k];
			struct ival_sum_lat *sum = l && l->n ? lat_of(to, k) : NULL;

			if (!sum)
				continue;
			add_lat_counts(sum, l->n, l->sum, l->min, l->max, l->bins);
			hist_merge(&sum->hist, &l->hist);
		}
	}
}

uint64_t ival_sum_percentile(const struct ival_sum_lat *l, double p)
{
	return l->bins ? hist_percentile(&l->hist, l->n, p, l->min, l->max) : 0;
}

bool ival_sum_empty(const struct ival_sum *s)
{
	for (unsigned d = 0; d < DIR_COUNT; d++)
		if (s->dir[d].ios || s->dir[d].errors || s->dir[d].unfinished)
			return false;
	return true;
}

void ival_sum_reset(struct ival_sum *s)
{
	for (unsigned d = 0; d < DIR_COUNT; d++) {
		struct ival_sum_dir *dir = &s->dir[d];

		dir->ios = dir->bytes = dir->errors = dir->unfinished = 0;
		for (unsigned k = 0; k < LAT_KINDS; k++) {
			struct ival_sum_lat *l = dir->lat[k];

			if (!l || !l->n)
				continue;
			l->n = l->sum = 0;
			l->bins = false;
			hist_reset(&l->hist);
		}
	}
}

void ival_sum_fini(struct ival_sum *s)
{
	for (unsigned d = 0; d < DIR_COUNT; d++)
		for (unsigned k = 0; k < LAT_KINDS; k++)
			free(s->dir[d].lat[k]);
	*s = (struct ival_sum){ 0 };
}
