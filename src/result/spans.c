#include "spans.h"

#include <string.h>

/* Returns a shallow copy of n elements. Sets *n to 0 when memory is short. */
static void *copy_array(struct result *r, const void *v, size_t *n, size_t bytes)
{
	void *copy = *n ? arena_array(&r->mem, *n, bytes) : NULL;

	if (*n && !copy) {
		r->failed = true;
		*n = 0;
	} else if (*n) {
		memcpy(copy, v, *n * bytes);
	}
	return copy;
}

#define COPY(r, v, n) copy_array(r, v, n, sizeof(*(v)))

static struct span_masks copy_masks(struct result *r, const struct span_masks *m)
{
	struct span_masks copy = { .n = m->n };

	copy.v = COPY(r, m->v, &copy.n);
	return copy;
}

static void copy_lat(struct result *r, struct span_lat *l)
{
	size_t n = l->bins.n;

	l->bins.ns = COPY(r, l->bins.ns, &n);
	l->bins.count = COPY(r, l->bins.count, &n);
	l->bins.n = n;
}

static void copy_flow(struct result *r, struct span_flow flow[SPAN_KINDS])
{
	for (unsigned i = 0; i < SPAN_KINDS; i++)
		copy_lat(r, &flow[i].lat);
}

/* ---- the machine ---- */

static const struct span_node *copy_nodes(struct result *r, const struct span_node *from, unsigned *number)
{
	size_t n = *number;
	struct span_node *v = COPY(r, from, &n);

	for (size_t i = 0; i < n; i++)
		v[i].cpus = copy_masks(r, &v[i].cpus);
	*number = v || !from ? *number : 0;
	return v;
}

static void copy_system(struct result *r, struct span_system *s)
{
	struct span_cache *cache = COPY(r, s->caches, &s->ncaches);
	size_t n;

	s->computer = result_copy_text(r, s->computer);
	s->processor = result_copy_text(r, s->processor);
	s->power_scheme = result_copy_text(r, s->power_scheme);
	s->power_id = result_copy_text(r, s->power_id);
	s->libata_fua = result_copy_text(r, s->libata_fua);
	for (size_t i = 0; i < s->ncaches; i++) {
		cache[i].type = result_copy_text(r, cache[i].type);
		cache[i].cpus = copy_masks(r, &cache[i].cpus);
	}
	s->caches = cache;
	n = s->groups ? s->ngroups : 0;
	s->groups = COPY(r, s->groups, &n);
	n = s->cores ? s->ncores : 0;
	s->cores = COPY(r, s->cores, &n);
	if (s->nodes)
		s->nodes = copy_nodes(r, s->nodes, &s->nnodes);
	if (s->sockets)
		s->sockets = copy_nodes(r, s->sockets, &s->nsockets);
}

void result_set_spans(struct result *r, const struct result_spans *head)
{
	struct result_spans *s = arena_alloc(&r->mem, sizeof(*s));

	r->spans = s;
	if (!s) {
		r->failed = true;
		return;
	}
	*s = *head;
	s->command = result_copy_text(r, head->command ? head->command : "");
	copy_system(r, &s->system);
	s->spans = NULL;
	s->nspans = s->spans_cap = 0;
}

/* ---- a time span ---- */

static const struct span_row *copy_rows(struct result *r, const struct span_row *from, size_t *n)
{
	struct span_row *v = COPY(r, from, n);

	for (size_t i = 0; i < *n; i++) {
		v[i].path = result_copy_text(r, v[i].path);
		copy_flow(r, v[i].flow);
		v[i].buckets = COPY(r, v[i].buckets, &v[i].nbuckets);
	}
	return v;
}

static void copy_threads(struct result *r, struct result_span *s)
{
	struct span_thread *v = COPY(r, s->threads, &s->nthreads);

	for (size_t i = 0; i < s->nthreads; i++)
		v[i].rows = copy_rows(r, v[i].rows, &v[i].nrows);
	s->threads = v;
}

static void copy_dists(struct result *r, struct result_span *s)
{
	struct span_dist *v = COPY(r, s->dists, &s->ndists);

	for (size_t i = 0; i < s->ndists; i++) {
		v[i].path = result_copy_text(r, v[i].path);
		v[i].threads = COPY(r, v[i].threads, &v[i].nthreads);
		v[i].ranges = COPY(r, v[i].ranges, &v[i].nranges);
	}
	s->dists = v;
}

static void copy_targets(struct result *r, struct result_span *s)
{
	struct span_target *v = COPY(r, s->targets, &s->ntargets);

	for (size_t i = 0; i < s->ntargets; i++) {
		v[i].path = result_copy_text(r, v[i].path);
		for (unsigned k = 0; k < SPAN_KINDS; k++)
			copy_lat(r, &v[i].lat[k]);
	}
	s->targets = v;
}

static void copy_events(struct result *r, struct result_span *s)
{
	struct span_event *event = COPY(r, s->events, &s->nevents);
	struct span_write_through *write_through = COPY(r, s->write_throughs, &s->nwrite_throughs);

	for (size_t i = 0; i < s->nevents; i++) {
		event[i].group = result_copy_text(r, event[i].group);
		event[i].name = result_copy_text(r, event[i].name);
		event[i].source = result_copy_text(r, event[i].source);
	}
	for (size_t i = 0; i < s->nwrite_throughs; i++) {
		write_through[i].path = result_copy_text(r, write_through[i].path);
		write_through[i].method = result_copy_text(r, write_through[i].method);
	}
	s->events = event;
	s->write_throughs = write_through;
}

static struct result_span *new_span(struct result *r)
{
	struct result_spans *all = r->spans;
	struct result_span *s = all ? arena_alloc(&r->mem, sizeof(*s)) : NULL, **v;

	if (s && all->nspans == all->spans_cap) {
		size_t cap = all->spans_cap ? 2 * all->spans_cap : 4;

		v = arena_array(&r->mem, cap, sizeof(*v));
		if (!v)
			return NULL;
		if (all->nspans)
			memcpy(v, all->spans, all->nspans * sizeof(*v));
		all->spans = v;
		all->spans_cap = cap;
	}
	if (s)
		all->spans[all->nspans++] = s;
	return s;
}

void result_add_span(struct result *r, const struct result_span *span)
{
	struct result_span *s = new_span(r);

	if (!s) {
		r->failed = true;
		return;
	}
	*s = *span;
	s->error = result_copy_text(r, span->error);
	s->affinity_warning = result_copy_text(r, span->affinity_warning);
	s->cpus = COPY(r, span->cpus, &s->ncpus);
	s->affinity = copy_masks(r, &span->affinity);
	s->buckets = COPY(r, span->buckets, &s->nbuckets);
	copy_flow(r, s->flow);
	copy_dists(r, s);
	copy_threads(r, s);
	copy_targets(r, s);
	copy_events(r, s);
}

/* ---- sums and rates ---- */

static void set_flow_rate(struct span_flow *f, double seconds)
{
	f->mib_s = seconds > 0 ? (double)f->bytes / (1 << 20) / seconds : 0;
	f->iops_s = seconds > 0 ? (double)f->ios / seconds : 0;
}

static void add_flow(struct span_flow to[SPAN_KINDS], const struct span_flow from[SPAN_KINDS])
{
	for (unsigned i = 0; i < SPAN_KINDS; i++) {
		to[i].bytes += from[i].bytes;
		to[i].ios += from[i].ios;
	}
}

static void clear_flow(struct span_flow flow[SPAN_KINDS])
{
	for (unsigned i = 0; i < SPAN_KINDS; i++)
		flow[i].bytes = flow[i].ios = 0;
}

static void finish_row(struct span_row *row, double seconds)
{
	struct span_flow *f = row->flow;

	f[SPAN_TOTAL].bytes = f[SPAN_READ].bytes + f[SPAN_WRITE].bytes;
	f[SPAN_TOTAL].ios = f[SPAN_READ].ios + f[SPAN_WRITE].ios;
	for (unsigned i = 0; i < SPAN_KINDS; i++)
		set_flow_rate(&f[i], seconds);
}

/* The casts are valid: threads and rows are in the result's arena, and const only for readers. */
static void finish_span(struct result_span *s)
{
	struct span_thread *thread = (struct span_thread *)(uintptr_t)s->threads;

	clear_flow(s->flow);
	for (size_t i = 0; i < s->nthreads; i++) {
		struct span_row *row = (struct span_row *)(uintptr_t)thread[i].rows;

		for (size_t k = 0; k < thread[i].nrows; k++) {
			finish_row(&row[k], s->seconds);
			add_flow(s->flow, row[k].flow);
		}
		thread[i].submits_s = s->seconds > 0 ? (double)thread[i].submits / s->seconds : 0;
	}
	for (unsigned i = 0; i < SPAN_KINDS; i++)
		set_flow_rate(&s->flow[i], s->seconds);
}

void result_finish_spans(struct result *r)
{
	struct result_spans *all = r->spans;

	if (!all)
		return;
	clear_flow(all->flow);
	all->seconds = 0;
	for (size_t i = 0; i < all->nspans; i++) {
		finish_span(all->spans[i]);
		all->seconds += all->spans[i]->seconds;
		add_flow(all->flow, all->spans[i]->flow);
	}
	for (unsigned i = 0; i < SPAN_KINDS; i++)
		set_flow_rate(&all->flow[i], all->seconds);
}

/* ---- percentiles ---- */

/* Returns the share of n, rounded up to a whole number. It is exact for any n. */
static uint64_t rank_of(uint64_t n, uint32_t share)
{
	return n / SPAN_ALL * share + (n % SPAN_ALL * share + SPAN_ALL - 1) / SPAN_ALL;
}

uint64_t span_percentile(const struct span_lat *l, uint32_t share)
{
	uint64_t rank = rank_of(l->n, share), below = 0, value = l->max;

	if (!l->n)
		return 0;
	/* The first and the last sample are known exactly, the others by their bucket. */
	if (rank <= 1 || rank >= l->n)
		return rank >= l->n && share ? l->max : l->min;
	for (size_t i = 0; i < l->bins.n; i++) {
		below += l->bins.count[i];
		if (below < rank)
			continue;
		value = l->bins.ns[i];
		break;
	}
	return value < l->min ? l->min : value > l->max ? l->max : value;
}

uint64_t span_samples_needed(uint32_t share)
{
	if (!share || share >= SPAN_ALL)
		return 1;
	return (SPAN_ALL + (SPAN_ALL - share) - 1) / (SPAN_ALL - share);
}
