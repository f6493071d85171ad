#include "series_regroup.h"

#include <errno.h>

static void add_group(struct series *to, unsigned group, const struct series *from, unsigned source,
		      unsigned doublings)
{
	const struct series_group *g = &from->group[source];
	struct series_group *sum = &to->group[group];
	bool first = !sum->began;
	uint64_t begin = g->begin_ns, end = g->end_ns;

	if (!first) {
		begin = sum->begin_ns < begin ? sum->begin_ns : begin;
		end = sum->end_ns > end ? sum->end_ns : end;
	}
	for (size_t i = 0; i < g->cells.n; i++) {
		struct ival v;

		series_get(from, source, i, &v);
		v.first = (g->first + i) >> doublings;
		v.span = 1;
		v.part_ns = 0;
		series_add(to, group, 0, g->kind, &v);
	}
	/* The cells are whole intervals; the group began and ended within its first and last one. */
	if (g->cells.n) {
		sum->begin_ns = begin;
		sum->end_ns = end;
	}
}

int series_regroup(struct series *to, const struct series *from, const uint32_t *to_group, unsigned ngroups,
		   unsigned doublings)
{
	int ret = series_init(to, ngroups, series_interval_ns(from) << doublings, SIZE_MAX);

	if (ret)
		return ret;
	to->start_ns = from->start_ns;
	for (unsigned g = 0; g < from->ngroups; g++) {
		if (to_group[g] != SERIES_LEAVE_OUT)
			add_group(to, to_group[g], from, g, doublings);
	}
	to->failed |= from->failed;
	return 0;
}
