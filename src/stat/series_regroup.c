#include "series.h"

#include <errno.h>
#include <stdlib.h>

/* The latencies of a cell: that of the group's kind, and the response time. */
enum { OWN, RESP, LATS };

#define RECORD_BYTES IVAL_BYTES(LATS *DIR_COUNT, LATS *DIR_COUNT)

/* The sum of several cells that become one. Histograms are added up in full arrays, so that a cell is
   encoded once, not once for each of its parts. */
struct join {
	struct series *to;
	unsigned group;
	enum lat_kind kind;
	bool bins; /* histograms are copied */
	struct ival sum;
	struct hist hist[DIR_COUNT][LATS];
	unsigned char record[RECORD_BYTES];
};

static enum lat_kind lat_kind_of(const struct join *j, unsigned which)
{
	return which == OWN ? j->kind : LAT_RESP;
}

/* A group of response times has no second latency. */
static bool has_lat(const struct join *j, unsigned which)
{
	return lat_kind_of(j, which) < LAT_KINDS && (which == OWN || j->kind != LAT_RESP);
}

static void add_bins(struct hist *h, const struct ival_lat *l)
{
	struct ival_bins bins = ival_bins(l);
	unsigned bucket;
	uint64_t count;

	while (ival_bin(&bins, &bucket, &count)) {
		h->n[bucket] += count;
		h->lo = bucket < h->lo ? bucket : h->lo;
		h->hi = bucket > h->hi ? bucket : h->hi;
	}
}

static void add_lat(struct ival_lat *to, const struct ival_lat *l)
{
	if (l->n) {
		to->min = to->n && to->min < l->min ? to->min : l->min;
		to->max = to->n && to->max > l->max ? to->max : l->max;
	}
	to->n += l->n;
	to->sum += l->sum;
}

static void join_cell(struct join *j, const struct ival *v)
{
	for (unsigned d = 0; d < DIR_COUNT; d++) {
		struct ival_dir *to = &j->sum.dir[d];

		to->ios += v->dir[d].ios;
		to->bytes += v->dir[d].bytes;
		to->errors += v->dir[d].errors;
		to->unfinished += v->dir[d].unfinished;
		for (unsigned i = 0; i < LATS; i++) {
			const struct ival_lat *l = &v->dir[d].lat[lat_kind_of(j, i) % LAT_KINDS];

			if (!has_lat(j, i))
				continue;
			add_lat(&to->lat[lat_kind_of(j, i)], l);
			if (j->bins && l->bins)
				add_bins(&j->hist[d][i], l);
		}
	}
}

static void put_joined_dir(struct join *j, struct ival_out *o, unsigned d)
{
	ival_put_dir(o, d, &j->sum.dir[d]);
	for (unsigned i = 0; i < LATS; i++) {
		struct hist *h = &j->hist[d][i];

		if (!has_lat(j, i))
			continue;
		if (j->sum.dir[d].lat[lat_kind_of(j, i)].n || j->sum.dir[d].lat[lat_kind_of(j, i)].sum)
			ival_put_lat(o, lat_kind_of(j, i), &j->sum.dir[d].lat[lat_kind_of(j, i)]);
		for (unsigned k = h->lo; k <= h->hi; k++) {
			if (h->n[k])
				ival_put_bin(o, k, h->n[k]);
		}
		hist_reset(h);
	}
}

/* Adds the sum to the series as interval `at`, and begins a new one. */
static void flush_interval(struct join *j, uint64_t at)
{
	struct ival v = { .first = at, .intervals = 1 };
	struct ival_out o;

	ival_begin(&o, j->record, RECORD_BYTES, &v);
	for (unsigned d = 0; d < DIR_COUNT; d++)
		put_joined_dir(j, &o, d);
	if (ival_read(&v, j->record, ival_end(&o, j->record)))
		series_add(j->to, j->group, 0, j->kind, &v);
	else
		j->to->failed = true;
	j->sum = (struct ival){ 0 };
}

static void join_cells(struct join *j, const struct series *from, unsigned source, unsigned doublings)
{
	const struct series_group *g = &from->groups[source];

	for (size_t i = 0; i < g->cells.n; i++) {
		uint64_t at = (g->first + i) >> doublings;
		struct ival v;

		series_get(from, source, i, &v);
		join_cell(j, &v);
		if (i + 1 == g->cells.n || (g->first + i + 1) >> doublings != at)
			flush_interval(j, at);
	}
}

static void copy_cells(struct series *to, unsigned group, const struct series *from, unsigned source)
{
	const struct series_group *g = &from->groups[source];

	for (size_t i = 0; i < g->cells.n; i++) {
		struct ival v;

		series_get(from, source, i, &v);
		v.first = g->first + i;
		v.intervals = 1;
		v.part_ns = 0;
		series_add(to, group, 0, g->kind, &v);
	}
}

static void join_group(struct join *j, unsigned group, const struct series *from, unsigned source,
		       unsigned doublings)
{
	const struct series_group *g = &from->groups[source];
	struct series_group *sum = &j->to->groups[group];
	uint64_t begin = g->begin_ns, end = g->end_ns;

	if (sum->has_records) {
		begin = sum->begin_ns < begin ? sum->begin_ns : begin;
		end = sum->end_ns > end ? sum->end_ns : end;
	}
	j->group = group;
	j->kind = g->kind;
	if (doublings || !j->bins)
		join_cells(j, from, source, doublings);
	else
		copy_cells(j->to, group, from, source);
	/* The cells are whole intervals; the group began and ended within its first and last one. */
	if (g->cells.n) {
		sum->begin_ns = begin;
		sum->end_ns = end;
	}
}

static int regroup(struct series *to, const struct series *from, const uint32_t *to_group, unsigned ngroups,
		   unsigned doublings, bool bins)
{
	int ret = series_init(to, ngroups, series_interval_ns(from) << doublings, SIZE_MAX);
	struct join *j = ret ? NULL : calloc(1, sizeof(*j));

	if (!j) {
		series_fini(to);
		return -ENOMEM;
	}
	for (unsigned d = 0; d < DIR_COUNT; d++)
		for (unsigned i = 0; i < LATS; i++)
			hist_reset(&j->hist[d][i]);
	j->to = to;
	j->bins = bins;
	to->start_ns = from->start_ns;
	for (unsigned g = 0; g < from->ngroups; g++) {
		if (to_group[g] != SERIES_LEAVE_OUT)
			join_group(j, to_group[g], from, g, doublings);
	}
	to->failed |= from->failed;
	free(j);
	return 0;
}

int series_regroup(struct series *to, const struct series *from, const uint32_t *to_group, unsigned ngroups,
		   unsigned doublings)
{
	return regroup(to, from, to_group, ngroups, doublings, true);
}

int series_regroup_without_bins(struct series *to, const struct series *from, const uint32_t *to_group,
				unsigned ngroups, unsigned doublings)
{
	return regroup(to, from, to_group, ngroups, doublings, false);
}
