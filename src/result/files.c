#include "files.h"

#include <stdlib.h>
#include <string.h>

/* ---- finding files ---- */

static uint64_t hash_text(uint64_t h, const char *text)
{
	for (; text && *text; text++)
		h = (h ^ (unsigned char)*text) * 1099511628211u; /* FNV-1a */
	return (h ^ 0x100) * 1099511628211u;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Returns the slot of a file: it holds 1 + the file's number, or 0 if the file is new. */
static uint32_t *slot_of(const struct result_files *f, const char *host, const char *path)
{
	size_t at = hash_text(hash_text(14695981039346656037u, host), path) & (f->slots - 1);

	for (;; at = (at + 1) & (f->slots - 1)) {
		const struct result_file *file = f->index[at] ? &f->file[f->index[at] - 1] : NULL;

		if (!file || (same_text(file->path, path) && same_text(file->host, host)))
			return &f->index[at];
	}
}

/* Makes the index larger, so that at least half of its slots are free after one more file. */
static bool grow_index(struct result *r, struct result_files *f)
{
	if (2 * (f->n + 1) <= f->slots)
		return true;
	f->slots = f->slots ? 4 * f->slots : 64;
	f->index = arena_array(&r->mem, f->slots, sizeof(*f->index));
	if (!f->index) {
		f->slots = 0;
		return false;
	}
	for (size_t i = 0; i < f->n; i++)
		*slot_of(f, f->file[i].host, f->file[i].path) = (uint32_t)i + 1;
	return true;
}

static bool grow_list(struct result *r, struct result_files *f)
{
	size_t cap = f->cap ? 2 * f->cap : 16;
	struct result_file *v;

	if (f->n < f->cap)
		return true;
	v = arena_array(&r->mem, cap, sizeof(*v));
	if (!v)
		return false;
	if (f->n)
		memcpy(v, f->file, f->n * sizeof(*v));
	f->file = v;
	f->cap = cap;
	return true;
}

struct result_file *result_files_find(struct result *r, struct result_files *f, const char *host,
				      const char *path)
{
	struct result_file *file;
	uint32_t *slot;

	if (!grow_index(r, f) || !grow_list(r, f)) {
		r->failed = true;
		return NULL;
	}
	slot = slot_of(f, host, path);
	if (*slot)
		return &f->file[*slot - 1];
	file = &f->file[f->n];
	*file = (struct result_file){ .path = result_copy_text(r, path), .host = result_copy_text(r, host) };
	if (!file->path || (host && !file->host))
		return NULL;
	*slot = (uint32_t)++f->n;
	return file;
}

/* ---- adding ---- */

/* Takes the highest bin off two lists. Puts it at `at` of a third one, unless ns is NULL. */
static void join_last(uint64_t *ns, uint64_t *count, size_t at, struct result_bins *a, struct result_bins *b)
{
	bool first = a->n && (!b->n || a->ns[a->n - 1] >= b->ns[b->n - 1]);
	bool second = b->n && (!a->n || b->ns[b->n - 1] >= a->ns[a->n - 1]);

	a->n -= first;
	b->n -= second;
	if (!ns)
		return;
	ns[at] = first ? a->ns[a->n] : b->ns[b->n];
	count[at] = (first ? a->count[a->n] : 0) + (second ? b->count[b->n] : 0);
}

static size_t joint_length(struct result_bins a, struct result_bins b)
{
	size_t n = 0;

	for (; a.n || b.n; n++)
		join_last(NULL, NULL, n, &a, &b);
	return n;
}

/* Makes room for n bins. The memory of a shorter list is lost until the end of the result, so a list that
   grows gets room for twice as many: all lists of one file and direction together have less than
   2 * HIST_BUCKETS bins. A list to which only one worker adds has no spare room. */
static bool reserve_bins(struct result *r, struct result_file_dir *d, size_t n)
{
	size_t cap = n;

	if (n <= d->room)
		return true;
	if (d->bins.n && n < HIST_BUCKETS)
		cap = n < HIST_BUCKETS / 4 ? 2 * n : HIST_BUCKETS;
	d->own = arena_array(&r->mem, 2 * cap, sizeof(*d->own));
	d->room = d->own ? cap : 0;
	return d->own;
}

/* Adds a list of bins. Both lists are in ascending order. The sum is written from its end, so that it may
   replace the list. */
static bool join_bins(struct result *r, struct result_file_dir *d, const struct result_bins *from)
{
	struct result_bins a = d->bins, b = *from;
	size_t n = joint_length(a, b);

	if (!reserve_bins(r, d, n))
		return false;
	d->bins = (struct result_bins){ d->own, d->own + d->room, n };
	while (n--)
		join_last(d->own, d->own + d->room, n, &a, &b);
	return true;
}

void result_file_add(struct result *r, struct result_file *file, unsigned dir, const struct file_dir *counts,
		     const struct result_bins *bins)
{
	struct result_file_dir *d;

	if (!file || !file_dir_used(counts))
		return;
	if (!file->dir[dir])
		file->dir[dir] = arena_alloc(&r->mem, sizeof(*file->dir[dir]));
	d = file->dir[dir];
	if (!d) {
		r->failed = true;
		return;
	}
	file_dir_merge(&d->counts, counts);
	if (bins && bins->n && !join_bins(r, d, bins))
		r->failed = true;
}

static void merge_dir(struct result *r, struct result_file *to, const struct result_file *from, unsigned dir,
		      unsigned percentiles)
{
	const struct result_file_dir *d = from->dir[dir];
	bool first = !to->dir[dir];
	uint64_t *v;

	if (!d)
		return;
	result_file_add(r, to, dir, &d->counts, &d->bins);
	if (!first || !d->percentile || !percentiles || r->failed)
		return;
	v = arena_array(&r->mem, percentiles, sizeof(*v));
	r->failed |= !v;
	if (v)
		memcpy(v, d->percentile, percentiles * sizeof(*v));
	to->dir[dir]->percentile = v;
}

void result_files_merge(struct result *r, struct result_files *to, const struct result_files *from,
			const char *host, unsigned percentiles)
{
	for (size_t i = 0; i < from->n && !r->failed; i++) {
		const struct result_file *file = &from->file[i];
		struct result_file *sum =
			result_files_find(r, to, file->host ? file->host : host, file->path);

		for (unsigned dir = 0; dir < DIR_COUNT && sum; dir++)
			merge_dir(r, sum, file, dir, percentiles);
	}
	to->left_out += from->left_out;
}

void result_files_mix(struct result *r, struct result_files *f)
{
	for (size_t i = 0; i < f->n; i++) {
		struct result_file *file = &f->file[i];

		for (unsigned dir = DIR_READ + 1; dir < DIR_DATA; dir++) {
			if (file->dir[dir])
				result_file_add(r, file, DIR_READ, &file->dir[dir]->counts,
						&file->dir[dir]->bins);
			file->dir[dir] = NULL;
		}
	}
}

/* ---- figures ---- */

static uint64_t total_sum(const struct result_bins *b)
{
	uint64_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		n += b->count[i];
	return n;
}

/* Computes the percentiles. Bins that lack I/Os are dropped. */
static void set_file_percentiles(struct result *r, struct result_file_dir *d, enum file_lat lat,
				 const struct summary *sum, struct hist *h)
{
	const struct moments *m = &d->counts.lat[lat];
	uint64_t *v, total = total_sum(&d->bins);

	if (total != m->n)
		d->bins.n = 0;
	if (!d->bins.n)
		return;
	v = arena_array(&r->mem, sum->npercentiles + 1, sizeof(*v));
	if (!v) {
		r->failed = true;
		return;
	}
	hist_reset(h);
	result_add_bins(h, &d->bins);
	for (unsigned i = 0; i < sum->npercentiles; i++)
		v[i] = hist_percentile(h, total, sum->percentiles[i], m->min, m->max);
	d->percentile = v;
}

void result_files_finish(struct result *r, struct result_files *f, const struct summary *sum)
{
	struct hist *h = calloc(1, sizeof(*h));

	r->failed |= !h;
	for (size_t i = 0; h && i < f->n; i++) {
		for (unsigned dir = 0; dir < DIR_COUNT; dir++) {
			struct result_file_dir *d = f->file[i].dir[dir];

			if (!d)
				continue;
			for (unsigned k = 0; k < FILE_LATS; k++) {
				d->mean[k] = moments_mean(&d->counts.lat[k]);
				d->stddev[k] = moments_stddev(&d->counts.lat[k]);
			}
			if (f->percentiles)
				set_file_percentiles(r, d, dir == DIR_SYNC ? FILE_CLAT : f->lat, sum, h);
		}
	}
	f->index = NULL;
	f->slots = 0;
	free(h);
}

struct summary_lat result_file_lat(const struct result_files *f, const struct result_file *file, unsigned dir,
				   enum file_lat lat, unsigned percentiles)
{
	const struct result_file_dir *d = file->dir[dir];
	enum file_lat of = dir == DIR_SYNC ? FILE_CLAT : f->lat;
	const struct moments *m = &d->counts.lat[lat];
	struct summary_lat l = {
		.n = m->n, .min = m->min, .max = m->max, .mean = d->mean[lat], .stddev = d->stddev[lat]
	};

	l.percentiles = f->percentiles && lat == of && d->percentile;
	if (l.percentiles)
		memcpy(l.value, d->percentile, percentiles * sizeof(*l.value));
	return l;
}

/* ---- the choice ---- */

uint64_t result_file_ios(const struct result_file *file)
{
	uint64_t n = 0;

	for (unsigned dir = 0; dir < DIR_COUNT; dir++)
		n += file->dir[dir] ? file->dir[dir]->counts.ios : 0;
	return n;
}

static uint64_t file_errors(const struct result_file *file)
{
	uint64_t n = 0;

	for (unsigned dir = 0; dir < DIR_COUNT; dir++)
		n += file->dir[dir] ? file->dir[dir]->counts.errors : 0;
	return n;
}

/* Returns the mean latency of the file's reads, writes and trims: lat, or clat where lat is not measured. */
static double mean_latency(const struct result_file *file)
{
	struct moments m[FILE_LATS] = { 0 };

	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		for (unsigned k = 0; k < FILE_LATS && file->dir[dir]; k++)
			moments_merge(&m[k], &file->dir[dir]->counts.lat[k]);
	return moments_mean(m[FILE_LAT].n ? &m[FILE_LAT] : &m[FILE_CLAT]);
}

/* Returns how high the file stands in a list; 0: it is not in this list. */
static double rank_of(const struct result_file *file, unsigned list)
{
	if (list == FILES_BUSIEST)
		return (double)result_file_ios(file);
	return list == FILES_SLOWEST ? mean_latency(file) : (double)file_errors(file);
}

static bool in_lists(const struct result_files_choice *c, unsigned lists, size_t file)
{
	for (unsigned list = 0; list < lists; list++)
		for (unsigned i = 0; i < c->n[list]; i++)
			if (c->index[list][i] == file)
				return true;
	return false;
}

/* Puts the files with the highest ranks into a list, in descending order. */
static void choose_list(const struct result_files *f, struct result_files_choice *c, unsigned list)
{
	double rank[FILES_LISTED + 1];
	unsigned n = 0;

	for (size_t i = 0; i < f->n; i++) {
		double v = rank_of(&f->file[i], list);
		unsigned at = n;

		if (v <= 0 || (n == FILES_LISTED && v <= rank[n - 1]) || in_lists(c, list, i))
			continue;
		n += n < FILES_LISTED;
		for (at = n - 1; at > 0 && rank[at - 1] < v; at--) {
			rank[at] = rank[at - 1];
			c->index[list][at] = c->index[list][at - 1];
		}
		rank[at] = v;
		c->index[list][at] = i;
	}
	c->n[list] = n;
}

void result_files_choose(const struct result_files *f, struct result_files_choice *c)
{
	*c = (struct result_files_choice){ .unlisted = f->n + f->left_out };
	if (f->n <= FILES_LISTED && !f->left_out) {
		for (size_t i = 0; i < f->n; i++)
			c->index[0][c->n[0]++] = i;
		c->unlisted = 0;
		return;
	}
	for (unsigned list = 0; list < FILES_LISTS; list++) {
		choose_list(f, c, list);
		c->unlisted -= c->n[list];
	}
}
