#include "series.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "scale.h"
#include "vec.h"

/* A record with one kind of latency and LAT_RESP in each direction. */
#define SCRATCH_BYTES IVAL_BYTES(2 * DIR_COUNT, 2 * DIR_COUNT)
/* An estimate of malloc's overhead per allocation. */
#define CELL_EXTRA 16

int series_init(struct series *s, unsigned ngroups, uint64_t len_ns, size_t max_bytes)
{
	*s = (struct series){ .len_ns = len_ns, .max_bytes = max_bytes };
	s->groups = calloc(ngroups + 1, sizeof(*s->groups));
	s->scratch = malloc(SCRATCH_BYTES);
	if (!s->groups || !s->scratch) {
		series_fini(s);
		return -ENOMEM;
	}
	s->ngroups = ngroups;
	for (unsigned g = 0; g < ngroups; g++)
		s->groups[g].kind = LAT_KINDS;
	return 0;
}

void series_fini(struct series *s)
{
	for (unsigned g = 0; g < s->ngroups; g++) {
		for (size_t i = 0; i < s->groups[g].cells.n; i++)
			free(s->groups[g].cells.v[i].rec);
		free(s->groups[g].cells.v);
	}
	free(s->groups);
	free(s->scratch);
	*s = (struct series){ 0 };
}

/* The share of a record in one of the cells that it covers: from/of to until/of. The shares of a number add
   up to the number. */
struct share {
	uint64_t from, until, of;
};

static const struct share whole = { 0, 1, 1 };

static uint64_t scale_share(uint64_t v, const struct share *s)
{
	return s->of == 1 ? v : scale_part(v, s->from, s->until, s->of);
}

/* Writes the sum of the bins of a and of the share of the bins of b. */
static void put_shared_bins(struct ival_out *o, const struct ival_lat *a, const struct ival_lat *b,
			    const struct share *share)
{
	struct ival_bins ia = ival_bins(a), ib = ival_bins(b);
	unsigned ka = HIST_BUCKETS, kb = HIST_BUCKETS;
	uint64_t na = 0, nb = 0;
	bool more_a = ival_bin(&ia, &ka, &na), more_b = ival_bin(&ib, &kb, &nb);

	while (more_a || more_b) {
		unsigned k = more_a && (!more_b || ka <= kb) ? ka : kb;
		uint64_t count = 0;

		if (more_a && ka == k) {
			count += na;
			more_a = ival_bin(&ia, &ka, &na);
		}
		if (more_b && kb == k) {
			count += scale_share(nb, share);
			more_b = ival_bin(&ib, &kb, &nb);
		}
		if (count)
			ival_put_bin(o, k, count);
	}
}

/* Returns the share of the latency's count. With bins, this is the sum of the shares of the bins, because
   rounding may make it differ from the share of n. */
static uint64_t share_n(const struct ival_lat *l, const struct share *share)
{
	struct ival_bins b = ival_bins(l);
	uint64_t count, n = 0;
	unsigned bucket;

	if (!l->bins || share->of == 1)
		return scale_share(l->n, share);
	while (ival_bin(&b, &bucket, &count))
		n += scale_share(count, share);
	return n;
}

static void put_shared_lat(struct ival_out *o, unsigned kind, const struct ival_lat *a,
			   const struct ival_lat *b, const struct share *share)
{
	uint64_t n = share_n(b, share);
	struct ival_lat sum = *a;

	if (n) {
		sum.min = a->n && a->min < b->min ? a->min : b->min;
		sum.max = a->n && a->max > b->max ? a->max : b->max;
	}
	sum.n += n;
	sum.sum += scale_share(b->sum, share);
	if (!sum.n && !sum.sum)
		return;
	ival_put_lat(o, kind, &sum);
	put_shared_bins(o, a, b, share);
}

/* A log file may know bytes or latencies, but not the number of I/Os. */
static bool used(const struct ival_dir *d)
{
	bool lats = false;

	for (unsigned k = 0; k < LAT_KINDS; k++)
		lats |= d->lat[k].n > 0;
	return d->ios | d->errors | d->bytes | d->unfinished || lats;
}

/* Writes a plus the share of b into the scratch buffer and returns the length. Both may be empty. */
static size_t merge(struct series *s, enum lat_kind kind, const struct ival *a, const struct ival *b,
		    const struct share *share)
{
	static const struct ival head;
	struct ival_out o;

	ival_begin(&o, s->scratch, SCRATCH_BYTES, &head);
	for (unsigned d = 0; d < DIR_COUNT; d++) {
		const struct ival_dir *x = &a->dir[d], *y = &b->dir[d];
		struct ival_dir sum = { .ios = x->ios + scale_share(y->ios, share),
					.bytes = x->bytes + scale_share(y->bytes, share),
					.errors = x->errors + scale_share(y->errors, share),
					.unfinished = x->unfinished + scale_share(y->unfinished, share) };

		if (!used(x) && !used(y))
			continue;
		ival_put_dir(&o, d, &sum);
		if (kind < LAT_KINDS)
			put_shared_lat(&o, kind, &x->lat[kind], &y->lat[kind], share);
		if (kind != LAT_RESP)
			put_shared_lat(&o, LAT_RESP, &x->lat[LAT_RESP], &y->lat[LAT_RESP], share);
	}
	return ival_end(&o, s->scratch);
}

static void read_cell(const struct series_cell *c, struct ival *v)
{
	if (!c->rec || !ival_read(v, c->rec, c->bytes))
		memset(v, 0, sizeof(*v));
}

/* Replaces the cell by the content of the scratch buffer. */
static void set_cell(struct series *s, struct series_cell *c, size_t bytes)
{
	unsigned char *rec = malloc(bytes);

	if (!rec) {
		s->failed = true;
		return;
	}
	memcpy(rec, s->scratch, bytes);
	s->used_bytes += bytes + (c->rec ? 0 : CELL_EXTRA);
	s->used_bytes -= c->bytes;
	free(c->rec);
	*c = (struct series_cell){ rec, (uint32_t)bytes };
}

static void drop_cell(struct series *s, struct series_cell *c)
{
	if (c->rec)
		s->used_bytes -= c->bytes + CELL_EXTRA;
	free(c->rec);
	*c = (struct series_cell){ 0 };
}

/* Merges cell `from` into cell `to`, which is an earlier cell or the same one. */
static void move_cell(struct series *s, struct series_group *g, size_t to, size_t from)
{
	struct series_cell *t = &g->cells.v[to], *f = &g->cells.v[from];
	struct ival a, b;

	if (to == from || !f->rec)
		return;
	if (!t->rec) {
		*t = *f;
		*f = (struct series_cell){ 0 };
		return;
	}
	read_cell(t, &a);
	read_cell(f, &b);
	set_cell(s, t, merge(s, g->kind, &a, &b, &whole));
	drop_cell(s, f);
}

/* Reduces the group to its first n cells. */
static void shrink(struct series *s, struct series_group *g, size_t n)
{
	struct series_cell *v = realloc(g->cells.v, n * sizeof(*v));

	g->cells.n = n;
	if (!v)
		return;
	s->used_bytes -= (g->cells.cap - n) * sizeof(*v);
	g->cells.v = v;
	g->cells.cap = n;
}

static void double_group(struct series *s, struct series_group *g)
{
	size_t odd = g->first & 1;

	for (size_t i = 0; i < g->cells.n; i++)
		move_cell(s, g, (i + odd) / 2, i);
	g->first /= 2;
	if (g->cells.n)
		shrink(s, g, (g->cells.n + odd + 1) / 2);
}

static void double_all(struct series *s)
{
	s->doublings++;
	for (unsigned g = 0; g < s->ngroups; g++)
		double_group(s, &s->groups[g]);
}

static bool push_cell(struct series *s, struct series_group *g)
{
	static const struct series_cell nothing;
	size_t had = g->cells.cap;

	if (!VEC_PUSH(&g->cells, nothing)) {
		s->failed = true;
		return false;
	}
	s->used_bytes += (g->cells.cap - had) * sizeof(nothing);
	return true;
}

/* Extends the group so that it has a cell for interval `at` of len_ns. Returns false when memory is short. */
static bool extend_to(struct series *s, struct series_group *g, uint64_t at)
{
	uint64_t cell = at >> s->doublings, before, want;
	size_t had = g->cells.n;

	if (!g->cells.n)
		g->first = cell;
	before = cell < g->first ? g->first - cell : 0;
	want = before ? had + before : cell - g->first + 1;
	while (g->cells.n < want) {
		if (!push_cell(s, g))
			return false;
	}
	if (before) {
		memmove(g->cells.v + before, g->cells.v, had * sizeof(*g->cells.v));
		memset(g->cells.v, 0, before * sizeof(*g->cells.v));
		g->first = cell;
	}
	return true;
}

/* Returns the number of cells that the group lacks before it reaches interval `at`. */
static uint64_t missing_cells(const struct series *s, const struct series_group *g, uint64_t at)
{
	uint64_t cell = at >> s->doublings;

	if (!g->cells.n)
		return 1;
	if (cell < g->first)
		return g->first - cell;
	return cell - g->first < g->cells.n ? 0 : cell - g->first - g->cells.n + 1;
}

/* Returns whether the group would have too many cells. Empty cells may take half of the memory limit. */
static bool too_long(const struct series *s, const struct series_group *g, uint64_t at)
{
	uint64_t most = s->max_bytes / 2 / sizeof(struct series_cell), more = missing_cells(s, g, at);

	return more > 1 &&
	       (more > most || s->used_bytes + more * sizeof(struct series_cell) > s->max_bytes / 2);
}

static bool has_io(const struct ival *rec)
{
	for (unsigned d = 0; d < DIR_COUNT; d++)
		if (used(&rec->dir[d]))
			return true;
	return false;
}

/* Adds the share of the record to one cell. */
static void add_share(struct series *s, struct series_group *g, uint64_t cell, const struct ival *rec,
		      const struct share *share)
{
	struct series_cell *c = &g->cells.v[cell - g->first];
	struct ival was;

	read_cell(c, &was);
	set_cell(s, c, merge(s, g->kind, &was, rec, share));
}

static void add_to_cells(struct series *s, struct series_group *g, uint64_t first, uint64_t span,
			 const struct ival *rec)
{
	uint64_t last = first + span - 1;

	for (uint64_t cell = first >> s->doublings; cell <= last >> s->doublings; cell++) {
		uint64_t from = cell << s->doublings, until = (cell + 1) << s->doublings;
		struct share share = { .from = from > first ? from - first : 0,
				       .until = until > last ? span : until - first,
				       .of = span };

		add_share(s, g, cell, rec, &share);
	}
}

static bool can_shrink(const struct series *s)
{
	for (unsigned g = 0; g < s->ngroups; g++)
		if (s->groups[g].cells.n > 1)
			return true;
	return false;
}

void series_limit(struct series *s, size_t max_bytes)
{
	while (s->used_bytes > max_bytes && can_shrink(s))
		double_all(s);
}

void series_add(struct series *s, unsigned group, uint64_t start, enum lat_kind kind, const struct ival *rec)
{
	struct series_group *g = &s->groups[group];
	uint64_t first = start + rec->first, span = rec->intervals ? rec->intervals : 1, end;
	struct ival bare = *rec;

	if (!g->has_records)
		g->kind = kind;
	if (!g->has_records || first * s->len_ns < g->begin_ns)
		g->begin_ns = first * s->len_ns;
	g->has_records = true;
	for (unsigned d = 0; d < DIR_COUNT && kind != g->kind && g->kind < LAT_KINDS; d++)
		bare.dir[d].lat[g->kind] = (struct ival_lat){ 0 };
	for (unsigned d = 0; d < DIR_COUNT; d++)
		g->resp |= rec->dir[d].lat[LAT_RESP].n > 0;
	while (too_long(s, g, first) || too_long(s, g, first + span - 1))
		double_all(s);
	if (!extend_to(s, g, first) || !extend_to(s, g, first + span - 1))
		return;
	if (has_io(&bare))
		add_to_cells(s, g, first, span, &bare);
	end = rec->intervals ? (first + span) * s->len_ns : first * s->len_ns + rec->part_ns;
	if (end > g->end_ns)
		g->end_ns = end;
	series_limit(s, s->max_bytes);
}

int series_add_group(struct series *s)
{
	struct series_group *v = realloc(s->groups, (s->ngroups + 1) * sizeof(*v));

	if (!v)
		return -ENOMEM;
	s->groups = v;
	v[s->ngroups] = (struct series_group){ .kind = LAT_KINDS };
	return (int)s->ngroups++;
}

uint64_t series_rebase(struct series *s)
{
	uint64_t first = UINT64_MAX, by;

	for (unsigned g = 0; g < s->ngroups; g++)
		if (s->groups[g].cells.n && s->groups[g].first < first)
			first = s->groups[g].first;
	if (first == UINT64_MAX)
		return 0;
	by = first * series_interval_ns(s);
	for (unsigned g = 0; g < s->ngroups; g++) {
		s->groups[g].first -= s->groups[g].cells.n ? first : s->groups[g].first;
		s->groups[g].begin_ns -= s->groups[g].begin_ns < by ? s->groups[g].begin_ns : by;
		s->groups[g].end_ns -= s->groups[g].end_ns < by ? s->groups[g].end_ns : by;
	}
	return by;
}

void series_coarsen(struct series *s, uint64_t interval_ns)
{
	while (series_interval_ns(s) < interval_ns)
		double_all(s);
}

void series_get(const struct series *s, unsigned group, size_t i, struct ival *v)
{
	const struct series_group *g = &s->groups[group];

	if (g->decoded)
		*v = g->decoded[i];
	else
		read_cell(&g->cells.v[i], v);
}

const struct ival *series_at(const struct series *s, unsigned group, size_t i, struct ival *v)
{
	const struct series_group *g = &s->groups[group];

	if (g->decoded)
		return &g->decoded[i];
	read_cell(&g->cells.v[i], v);
	return v;
}

/* The decoded cells of a view take at most some 25 MB. */
#define VIEW_CELLS 32768

int series_view(struct series *view, const struct series *s, unsigned group)
{
	size_t n = s->groups[group].cells.n;
	struct ival *decoded = NULL;

	*view = *s;
	view->scratch = NULL;
	view->ngroups = 1;
	view->groups = malloc(sizeof(*view->groups));
	if (n <= VIEW_CELLS)
		decoded = malloc((n + 1) * sizeof(*decoded));
	if (!view->groups || (n <= VIEW_CELLS && !decoded)) {
		free(view->groups);
		free(decoded);
		*view = (struct series){ 0 };
		return -ENOMEM;
	}
	for (size_t i = 0; decoded && i < n; i++)
		read_cell(&s->groups[group].cells.v[i], &decoded[i]);
	view->groups[0] = s->groups[group];
	view->groups[0].decoded = decoded;
	return 0;
}

void series_view_fini(struct series *view)
{
	if (view->groups)
		free((void *)view->groups[0].decoded);
	free(view->groups);
	*view = (struct series){ 0 };
}
