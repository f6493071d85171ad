#include "merge_parts.h"

#include <math.h>
#include "counts.h"

/* The largest count. With this limit the sum of the seven rows of a distribution fits 64 bits. */
#define COUNT_MAX ((uint64_t)1 << 61)

__extension__ typedef unsigned __int128 u128;

/* Returns whether two lists of n counts add up to at most COUNT_MAX each. */
static bool lists_fit(const uint64_t *a, const uint64_t *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] > COUNT_MAX || b[i] > COUNT_MAX - a[i])
			return false;
	return true;
}

/* The sums of several moments. sq counts units of 2^64, rounded up. */
struct totals {
	u128 n, sum, sq;
};

static void add_totals(struct totals *t, const struct moments *m)
{
	t->n += m->n;
	t->sum += m->sum;
	t->sq += (u128)m->sq_hi + 1;
}

static bool totals_fit(const struct totals *t)
{
	return t->n <= UINT64_MAX && t->sum <= UINT64_MAX && t->sq <= UINT64_MAX;
}

/* Returns whether the moments of both fit when all directions are mixed. */
static bool moments_fit(const struct snapshot *a, const struct snapshot *b, unsigned kind)
{
	struct totals all = { 0 };

	for (unsigned dir = 0; dir < DIR_COUNT; dir++) {
		add_totals(&all, &a->st->dir[dir].lat[kind]);
		add_totals(&all, &b->st->dir[dir].lat[kind]);
	}
	return totals_fit(&all);
}

static void add_prio_totals(struct totals *t, const struct snapshot *s)
{
	for (unsigned i = 0; i < s->layout.nprio; i++)
		for (unsigned dir = 0; dir < WSTAT_PRIO_DIRS; dir++)
			add_totals(t, &wstat_prios(s->st, &s->layout)[i].lat[dir]);
}

static bool dirs_fit(const struct wstat_dir *a, const struct wstat_dir *b)
{
	bool fit = true;

	for (const struct count_key *k = counts_of_dir; k->key && fit; k++)
		fit = lists_fit(count_at((void *)(uintptr_t)a, k), count_at((void *)(uintptr_t)b, k), 1);
	return fit;
}

/* All members of struct wcount are 64-bit counts. */
bool merge_counts_fit(const struct snapshot *to, const struct snapshot *from)
{
	struct totals prios = { 0 };
	bool fit = lists_fit((const uint64_t *)&to->cnt, (const uint64_t *)&from->cnt,
			     sizeof(to->cnt) / sizeof(uint64_t)) &&
		   to->members <= UINT32_MAX - from->members;

	if (!to->st || !from->st)
		return fit;
	for (unsigned dir = 0; dir < DIR_COUNT; dir++)
		fit = fit && dirs_fit(&to->st->dir[dir], &from->st->dir[dir]);
	for (unsigned kind = 0; kind < LAT_KINDS; kind++)
		fit = fit && moments_fit(to, from, kind);
	add_prio_totals(&prios, to);
	add_prio_totals(&prios, from);
	return fit && totals_fit(&prios);
}

bool merge_rows_fit(const struct samples *s)
{
	for (unsigned i = 0; i < SAMPLE_ROWS; i++)
		if (!isfinite(s[i].min) || !isfinite(s[i].max) || !isfinite(s[i].sum) || !isfinite(s[i].sq))
			return false;
	return true;
}

bool merge_files_fit(const struct result_files *f)
{
	struct wstat_dir sum[DIR_COUNT] = { 0 };
	struct totals lat[FILE_LATS] = { 0 };

	for (size_t i = 0; i < f->n; i++) {
		for (unsigned dir = 0; dir < DIR_COUNT; dir++) {
			const struct file_dir *d = f->file[i].dir[dir] ? &f->file[i].dir[dir]->counts : NULL;
			const struct wstat_dir one = d ? (struct wstat_dir){ .ios = d->ios,
									     .bytes = d->bytes,
									     .short_ios = d->short_ios,
									     .errors = d->errors }
						       : (struct wstat_dir){ 0 };

			if (!dirs_fit(&sum[dir], &one))
				return false;
			wstat_dir_merge(&sum[dir], &one);
			for (unsigned k = 0; k < FILE_LATS && d; k++)
				add_totals(&lat[k], &d->lat[k]);
		}
	}
	return totals_fit(&lat[FILE_CLAT]) && totals_fit(&lat[FILE_LAT]);
}
