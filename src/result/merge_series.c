#include "merge_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "vec.h"

#define GRID_NS   100000000u /* the finest interval of fiord's series */
#define MAX_BYTES (16u << 20)
#define MAX_NS    ((uint64_t)1 << 62) /* times beyond this, in 2116, are wrong */
/* The intervals of the first result lie on the grid, however often they have doubled (up to 20 times). */
#define ALIGN_NS ((uint64_t)GRID_NS << 20)
/* The limit of the number of grid intervals that one interval of a result covers. */
#define MAX_SPAN ((uint64_t)1 << 32)

static bool has_series(const struct result *r)
{
	for (unsigned g = 0; g < r->series.data.ngroups; g++)
		if (r->series.data.groups[g].cells.n)
			return true;
	return false;
}

/* Returns the group of a label, which it adds if it is new; -ENOMEM when memory is short. */
static int group_of(struct merge_series *s, const struct result_series_label *label)
{
	const char *name = label->name ? label->name : "";
	struct result_series_label new = { .group = label->group, .in_report = true };

	for (size_t i = 0; i < s->label.n; i++)
		if (s->label.v[i].group == label->group && !strcmp(s->label.v[i].name, name))
			return (int)i;
	new.name = strdup(name);
	if (!new.name || !VEC_PUSH(&s->end, 0) || !VEC_PUSH(&s->label, new)) {
		free((void *)(uintptr_t) new.name);
		return -ENOMEM;
	}
	return series_add_group(&s->data);
}

static uint64_t cell_begin_ns(const struct result *r, const struct series_group *g, size_t i)
{
	return r->series.start_ms * 1000000 + (g->first + i) * series_interval_ns(&r->series.data);
}

static uint64_t to_grid(const struct merge_series *s, uint64_t ns)
{
	return (ns - s->origin_ns + GRID_NS / 2) / GRID_NS;
}

/* Adds one cell to the intervals of the grid that it covers, at least one. */
static void merge_cell(struct merge_series *s, unsigned to, const struct result *r, unsigned from, size_t i)
{
	const struct series *data = &r->series.data;
	uint64_t begin = cell_begin_ns(r, &data->groups[from], i), end = begin + series_interval_ns(data);
	uint64_t first = to_grid(s, begin), until = to_grid(s, end);
	struct ival v;

	series_get(data, from, i, &v);
	v.first = 0;
	v.part_ns = 0;
	v.intervals = until > first ? until - first : 1;
	series_add(&s->data, to, first, data->groups[from].kind, &v);
}

static int merge_group(struct merge_series *s, const struct result *r, unsigned from)
{
	const struct series_group *g = &r->series.data.groups[from];
	uint64_t base = r->series.start_ms * 1000000, end = base + g->end_ns;
	int to = group_of(s, &r->series.label[from]);

	if (to < 0)
		return to;
	for (size_t i = 0; i < g->cells.n; i++)
		merge_cell(s, (unsigned)to, r, from, i);
	if (end > s->end.v[to])
		s->end.v[to] = end;
	return 0;
}

/* Returns whether the grid can hold the times of the result. */
static bool times_fit(const struct result *r)
{
	const struct series *data = &r->series.data;
	uint64_t len = series_interval_ns(data);

	if (!len || len / GRID_NS > MAX_SPAN || r->series.start_ms > MAX_NS / 1000000)
		return false;
	for (unsigned g = 0; g < data->ngroups; g++) {
		const struct series_group *v = &data->groups[g];

		if (v->cells.n && (v->first + v->cells.n > (MAX_NS - r->series.start_ms * 1000000) / len ||
				   v->end_ns > MAX_NS))
			return false;
	}
	return true;
}

static void note_times(struct merge_series *s, const struct result *r)
{
	uint64_t begin = UINT64_MAX, end = 0;

	for (unsigned i = 0; i < r->series.data.ngroups; i++) {
		const struct series_group *g = &r->series.data.groups[i];
		uint64_t first = cell_begin_ns(r, g, 0), last = r->series.start_ms * 1000000 + g->end_ns;

		if (!g->cells.n)
			continue;
		begin = first < begin ? first : begin;
		end = last > end ? last : end;
	}
	if (!s->added++) {
		s->begin_ns[0] = s->begin_ns[1] = begin;
		s->origin_ns = begin % ALIGN_NS;
		s->first_end_ns = end;
	}
	s->begin_ns[0] = begin < s->begin_ns[0] ? begin : s->begin_ns[0];
	s->begin_ns[1] = begin > s->begin_ns[1] ? begin : s->begin_ns[1];
	s->first_end_ns = end < s->first_end_ns ? end : s->first_end_ns;
}

static bool series_overlap(const struct merge_series *s)
{
	return s->begin_ns[1] < s->first_end_ns;
}

int merge_series_add(struct merge_series *s, const struct result *r)
{
	uint64_t len = series_interval_ns(&r->series.data);
	int ret = 0;

	if (!has_series(r) || !r->series.label || !times_fit(r)) {
		s->missing++;
		return 0;
	}
	if (!s->data.scratch && series_init(&s->data, 0, GRID_NS, MAX_BYTES))
		return -ENOMEM;
	note_times(s, r);
	series_coarsen(&s->data, len);
	if (s->begin_ns[0] < s->origin_ns) /* only with clocks in January 1970 */
		s->first_end_ns = 0;
	for (unsigned g = 0; g < r->series.data.ngroups && !ret && series_overlap(s); g++)
		if (r->series.label[g].in_report && r->series.data.groups[g].cells.n)
			ret = merge_group(s, r, g);
	return ret;
}

static void note_gaps(const struct merge_series *s, struct result *r)
{
	uint64_t apart_ms = (s->begin_ns[1] - s->begin_ns[0]) / 1000000;

	if (s->missing)
		result_note(r,
			    "%zu of %zu results have no series; the merged series is the sum of the others",
			    s->missing, s->missing + s->added);
	if (apart_ms >= 1000)
		result_note(r, "by the clocks of their hosts, the results began up to %.1f s apart",
			    (double)apart_ms / 1000);
}

void merge_series_finish(struct merge_series *s, struct result *r)
{
	uint64_t base;

	if (!s->added)
		return;
	if (!series_overlap(s)) {
		result_note(r, "by the clocks of their hosts, there was no moment at which all results ran; "
			       "they are "
			       "merged without their series");
		return;
	}
	/* series_add knows only whole intervals. */
	for (unsigned g = 0; g < s->data.ngroups; g++)
		s->data.groups[g].end_ns = s->end.v[g] - s->origin_ns;
	base = s->origin_ns + series_rebase(&s->data);
	note_gaps(s, r);
	s->data.failed |= s->missing > 0;
	result_move_series(r, &s->data, s->label.v, base / 1000000);
	r->series.on = true;
}

void merge_series_fini(struct merge_series *s)
{
	for (size_t i = 0; i < s->label.n; i++)
		free((void *)(uintptr_t)s->label.v[i].name);
	free(s->label.v);
	free(s->end.v);
	series_fini(&s->data);
	*s = (struct merge_series){ 0 };
}
