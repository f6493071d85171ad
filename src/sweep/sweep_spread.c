#include "sweep_curve.h"

#include <math.h>
#include "chart_time.h"

#define PARTS 5

/* The I/Os of a part of the time: those of all series of the group. */
struct part {
	double iops;
	uint64_t n, sum_ns; /* latencies */
};

static void add_part(struct part *to, const struct chart_time *t, unsigned part, enum lat_kind kind)
{
	size_t from = t->n * part / PARTS, until = t->n * (part + 1) / PARTS;
	struct chart_sum sum = { 0 };

	chart_sum_reset(&sum);
	for (size_t i = from; i < until; i++)
		chart_sum_add(&sum, t, i, CHART_ALL, kind);
	to->iops +=
		(double)sum.ios * 1e9 / (double)(chart_time_until(t, until - 1) - chart_time_from(t, from));
	to->n += sum.n;
	to->sum_ns += sum.sum;
}

/* Returns false if a series of the group is too short. */
static bool add_parts(struct part *part, enum lat_kind kind, const struct result *res, size_t group)
{
	bool any = false;

	for (unsigned i = 0; i < res->series.data.ngroups; i++) {
		struct chart_time t;

		if (!res->series.label || res->series.label[i].group != res->groups[group].number)
			continue;
		chart_time(&t, &res->series.data, i);
		if (t.n < 2 * PARTS)
			return false;
		for (unsigned p = 0; p < PARTS; p++)
			add_part(&part[p], &t, p, kind);
		any = true;
	}
	return any;
}

void sweep_spread(struct sweep_figures *f, const struct result *res, size_t group)
{
	struct part part[PARTS] = { 0 };
	double iops = INFINITY, mean = INFINITY;
	bool latencies = true;

	if (f->steady != SWEEP_NO_CRITERION || !add_parts(part, f->kind, res, group))
		return;
	for (unsigned p = 0; p < PARTS; p++) {
		double ns = part[p].n ? (double)part[p].sum_ns / (double)part[p].n : 0;

		latencies &= ns > 0;
		iops = fmin(iops, part[p].iops);
		mean = fmin(mean, ns);
		f->iops_highest = fmax(f->iops_highest, part[p].iops);
		f->mean_highest_ns = fmax(f->mean_highest_ns, ns);
	}
	f->iops_lowest = iops;
	f->mean_lowest_ns = latencies ? mean : 0;
	f->mean_highest_ns = latencies ? f->mean_highest_ns : 0;
}
