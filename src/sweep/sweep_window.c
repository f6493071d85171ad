#include "sweep_curve.h"

#include <errno.h>
#include <stdlib.h>
#include "chart_time.h"

/* Returns the steady state of the group's only report entry, or NULL. */
static const struct result_steady *steady_of(const struct result *res, size_t group)
{
	const struct result_steady *found = NULL;
	size_t entries = 0;

	for (size_t i = 0; i < res->njobs; i++)
		if (res->jobs[i]->group == res->groups[group].number) {
			found = &res->jobs[i]->steady;
			entries++;
		}
	return entries == 1 && found->on && found->iops && found->samples && found->interval_ns ? found
												: NULL;
}

/* Returns whether an interval belongs to the window: its middle lies in the window, or the middle of the
   window lies in it. */
static bool in_window(const struct chart_time *t, size_t i, uint64_t begin, uint64_t end)
{
	uint64_t from = chart_time_from(t, i), until = chart_time_until(t, i);
	uint64_t middle = from + (until - from) / 2, window = begin + (end - begin) / 2;

	return (middle >= begin && middle < end) || (window >= from && window < until);
}

/* Adds the intervals of a series that belong to the window. */
static void add_window(struct chart_sum *sum, enum lat_kind *kind, const struct series *s, unsigned at,
		       const struct result_steady *steady)
{
	const uint64_t length = steady->samples * steady->interval_ns;
	struct chart_time t;
	uint64_t end;

	chart_time(&t, s, at);
	if (!t.n)
		return;
	end = steady->attained ? steady->attained_ns
			       : (t.end_ns - t.start_ns) / steady->interval_ns * steady->interval_ns;
	end += t.start_ns;
	*kind = s->groups[at].resp ? LAT_RESP : s->groups[at].kind;
	for (size_t i = 0; i < t.n; i++)
		if (in_window(&t, i, end > length ? end - length : 0, end))
			chart_sum_add(sum, &t, i, CHART_ALL, *kind);
}

static void set_latencies(struct sweep_figures *f, const struct chart_sum *sum, enum lat_kind kind)
{
	uint64_t total = hist_total(sum->hist);

	f->kind = LAT_KINDS;
	f->percentiles = false;
	if (!sum->n)
		return;
	f->kind = kind;
	f->mean_ns = (double)sum->sum / (double)sum->n;
	f->max_ns = sum->max;
	if (!total)
		return;
	f->percentiles = true;
	f->p50_ns = hist_percentile(sum->hist, total, 50, sum->min, sum->max);
	f->p99_ns = hist_percentile(sum->hist, total, 99, sum->min, sum->max);
	f->p999_ns = hist_percentile(sum->hist, total, 99.9, sum->min, sum->max);
}

/* Sets the rates from the counts of the window. Older documents have only rates in whole I/Os per second. */
static void set_rates(struct sweep_figures *f, const struct result_steady *s)
{
	double seconds = (double)s->samples * (double)s->interval_ns / 1e9;

	if (s->ios) {
		f->ios = s->ios;
		f->iops = (double)s->ios / seconds;
		f->bw_bytes = (double)s->bytes / seconds;
	} else {
		f->ios = (uint64_t)((double)s->iops_mean * seconds + 0.5);
		f->iops = (double)s->iops_mean;
		f->bw_bytes = (double)s->bw_mean;
	}
}

int sweep_window_figures(struct sweep_figures *f, const struct result *res, size_t group)
{
	const struct result_steady *s = steady_of(res, group);
	struct chart_sum sum = { 0 };
	enum lat_kind kind = LAT_KINDS;

	if (!s)
		return 0;
	sum.hist = calloc(1, sizeof(*sum.hist));
	if (!sum.hist)
		return -ENOMEM;
	chart_sum_reset(&sum);
	hist_init(sum.hist);
	for (unsigned i = 0; i < res->series.data.ngroups; i++)
		if (res->series.label[i].group == res->groups[group].number)
			add_window(&sum, &kind, &res->series.data, i, s);
	f->steady = s->attained ? SWEEP_STEADY : SWEEP_NOT_STEADY;
	set_rates(f, s);
	set_latencies(f, &sum, kind);
	free(sum.hist);
	return 0;
}
