#include "collect_span_parts.h"

#include <math.h>

bool collect_lats_init(struct collect_lats *l, bool hists, struct arena *mem)
{
	*l = (struct collect_lats){ 0 };
	for (unsigned d = 0; d < PER_FILE_DIRS && hists; d++) {
		l->hist[d] = arena_alloc(mem, sizeof(*l->hist[d]));
		if (!l->hist[d])
			return false;
		hist_init(l->hist[d]);
	}
	return true;
}

/* DISKSPD's latency includes the submission, as lat does. If lat has no histogram, this falls back to clat,
   so that percentiles are not missing. */
static enum lat_kind measured_kind(const struct wstat_layout *l)
{
	for (unsigned dir = 0; dir < PER_FILE_DIRS; dir++)
		if (l->hist[dir][LAT_LAT])
			return LAT_LAT;
	for (unsigned dir = 0; dir < PER_FILE_DIRS; dir++)
		if (l->hist[dir][LAT_CLAT])
			return LAT_CLAT;
	return LAT_LAT;
}

void collect_lats_add_snapshot(struct collect_lats *to, const struct snapshot *from)
{
	enum lat_kind kind = measured_kind(&from->layout);

	for (unsigned d = 0; d < PER_FILE_DIRS; d++) {
		unsigned index = from->layout.hist[d][kind];

		moments_merge(&to->m[d], &from->st->dir[d].lat[kind]);
		if (to->hist[d] && index)
			hist_merge(to->hist[d], &from->st->hist[index - 1]);
	}
}

void collect_lats_add_file(struct collect_lats *to, const struct per_file *from, bool hists)
{
	for (unsigned d = 0; d < PER_FILE_DIRS; d++) {
		moments_merge(&to->m[d], &from->lat[d]);
		if (to->hist[d] && hists)
			hist_merge(to->hist[d], &from->hist[d]);
	}
}

void collect_lats_moments(struct span_lat *to, const struct moments *m)
{
	*to = (struct span_lat){ .n = m->n };
	if (!m->n)
		return;
	to->min = m->min;
	to->max = m->max;
	to->mean = moments_mean(m);
	to->stddev = moments_stddev(m) * sqrt((double)(m->n - 1) / (double)m->n);
}

static bool convert_bins(struct span_lat *to, const struct hist *h, struct arena *mem)
{
	uint64_t *ns = arena_array(mem, HIST_BUCKETS, sizeof(*ns));
	uint64_t *count = arena_array(mem, HIST_BUCKETS, sizeof(*count));

	if (!ns || !count)
		return false;
	to->bins = (struct result_bins){ .ns = ns, .count = count, .n = hist_bins(h, ns, count) };
	return true;
}

bool collect_lats_convert(const struct collect_lats *l, struct span_lat *to[SPAN_KINDS], struct arena *mem)
{
	struct moments both = l->m[DIR_READ];
	struct collect_lats sum;

	moments_merge(&both, &l->m[DIR_WRITE]);
	collect_lats_moments(to[SPAN_READ], &l->m[DIR_READ]);
	collect_lats_moments(to[SPAN_WRITE], &l->m[DIR_WRITE]);
	collect_lats_moments(to[SPAN_TOTAL], &both);
	if (!l->hist[DIR_READ])
		return true;
	if (!collect_lats_init(&sum, true, mem))
		return false;
	hist_merge(sum.hist[0], l->hist[DIR_READ]);
	hist_merge(sum.hist[0], l->hist[DIR_WRITE]);
	return convert_bins(to[SPAN_READ], l->hist[DIR_READ], mem) &&
	       convert_bins(to[SPAN_WRITE], l->hist[DIR_WRITE], mem) &&
	       convert_bins(to[SPAN_TOTAL], sum.hist[0], mem);
}
