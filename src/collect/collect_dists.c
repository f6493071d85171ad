#include "collect_span_parts.h"

#include <string.h>
#include "profile.h"

static const struct ds_target *target_of(const struct ds_span *settings, const char *path)
{
	for (size_t i = 0; i < settings->ntargets; i++)
		if (settings->targets[i].dist != DS_UNIFORM && !strcmp(settings->targets[i].path, path))
			return &settings->targets[i];
	return NULL;
}

static bool set_ranges(struct span_dist *d, const struct ds_target *t, uint64_t size, struct arena *mem)
{
	struct ds_effective_range *found = arena_array(mem, t->nranges + 1, sizeof(*found));
	struct span_range *range = arena_array(mem, t->nranges + 1, sizeof(*range));

	if (!found || !range)
		return false;
	d->nranges = ds_effective_ranges(t, size, found, &d->clipped);
	for (size_t i = 0; i < d->nranges; i++)
		range[i] = (struct span_range){ found[i].io_percent, found[i].begin, found[i].end };
	d->ranges = range;
	return true;
}

struct dists {
	struct span_dist *v;
	size_t n;
	size_t threads; /* room in each for this many */
	struct arena *mem;
};

/* Finds or adds the distribution of the row's path. Returns its number, from 1; 0 when memory is short. */
static unsigned dist_of(struct dists *l, const struct ds_target *t, const struct span_row *row)
{
	struct span_dist *d;

	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->v[i].path, row->path))
			return (unsigned)i + 1;
	d = &l->v[l->n];
	d->path = row->path;
	d->threads = arena_array(l->mem, l->threads, sizeof(*d->threads));
	if (!d->threads || !set_ranges(d, t, row->size, l->mem))
		return 0;
	return (unsigned)++l->n;
}

/* The casts are valid because threads and rows are const for readers only; they are in the arena. */
static bool add_row(struct dists *l, const struct ds_span *settings, unsigned thread, struct span_row *row)
{
	const struct ds_target *t = target_of(settings, row->path);
	struct span_dist *d;

	if (!t)
		return true;
	row->dist = dist_of(l, t, row);
	if (!row->dist)
		return false;
	d = &l->v[row->dist - 1];
	((unsigned *)(uintptr_t)d->threads)[d->nthreads++] = thread;
	return true;
}

static size_t rows_of(const struct result_span *span)
{
	size_t n = 0;

	for (size_t i = 0; i < span->nthreads; i++)
		n += span->threads[i].nrows;
	return n;
}

bool collect_dists(struct result_span *span, const struct ds_span *settings, struct arena *mem)
{
	size_t rows = rows_of(span);
	struct dists l = { .threads = rows, .mem = mem };

	if (!rows)
		return true;
	l.v = arena_array(mem, rows, sizeof(*l.v));
	for (size_t i = 0; l.v && i < span->nthreads; i++) {
		const struct span_thread *t = &span->threads[i];

		for (size_t k = 0; k < t->nrows; k++)
			if (!add_row(&l, settings, t->id, (struct span_row *)(uintptr_t)&t->rows[k]))
				return false;
	}
	span->dists = l.v;
	span->ndists = l.n;
	return l.v != NULL;
}
