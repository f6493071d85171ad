#include "trace_chart.h"

#include <errno.h>
#include <stdlib.h>
#include "chart_time.h"

static uint64_t amount(const struct trace_interval *v, enum trace_quantity what, unsigned op)
{
	uint64_t sum = 0;

	if (what == TRACE_TOUCHED)
		return v->touched_bytes;
	for (unsigned i = 0; i < (what == TRACE_IOPS ? TRACE_IO_OPS : TRACE_TRIM); i++)
		if (op == i || op == TRACE_IO_OPS)
			sum += what == TRACE_IOPS ? v->ios[i] : v->bytes[i];
	return sum;
}

static double interval_begin_ms(const struct trace_summary *s, unsigned i)
{
	return ((double)s->first_ns + (double)i * (double)s->interval_ns) / 1e6;
}

static void add_point(struct chart_line *l, const struct trace_summary *s, enum trace_quantity what,
		      unsigned op, unsigned from, unsigned until)
{
	double sum = 0;

	for (unsigned i = from; i < until; i++)
		sum += (double)amount(&s->interval[i], what, op);
	l->t_ms[l->n] = (interval_begin_ms(s, from) + interval_begin_ms(s, until)) / 2;
	if (what == TRACE_TOUCHED)
		l->v[l->n++] = (double)s->interval[until - 1].touched_bytes;
	else
		l->v[l->n++] = sum * 1e9 / ((double)trace_interval_ns(s) * (until - from));
}

int trace_line(struct chart_line *l, const struct trace_summary *s, enum trace_quantity what, unsigned op,
	       unsigned join)
{
	bool any = op == TRACE_IO_OPS || s->op[op].ios;

	if (chart_line_alloc(l, s->intervals))
		return -ENOMEM;
	for (unsigned i = 0; any && i < s->intervals; i += join)
		add_point(l, s, what, op, i, i + join < s->intervals ? i + join : s->intervals);
	chart_line_finish(l);
	return 0;
}

int trace_peak_line(struct chart_line *l, const struct trace_summary *s, enum trace_quantity what)
{
	uint64_t at_ns = what == TRACE_IOPS ? s->peak_iops_ns : s->peak_bytes_ns;

	if (chart_line_alloc(l, 1))
		return -ENOMEM;
	l->t_ms[0] = ((double)at_ns + (double)s->interval_ns / 2) / 1e6;
	l->v[0] = what == TRACE_IOPS ? s->peak_iops : s->peak_bytes_per_s;
	l->n = l->v[0] > 0;
	chart_line_finish(l);
	return 0;
}

unsigned trace_size_bars(const struct trace_summary *s, struct trace_bar bar[TRACE_SIZE_RANGES])
{
	const struct trace_size *size = s->sizes > TRACE_BARS ? s->range : s->size;
	unsigned sizes = s->sizes > TRACE_BARS ? TRACE_SIZE_RANGES : s->sizes, n = 0;
	uint64_t all = s->op[TRACE_READ].ios + s->op[TRACE_WRITE].ios + s->op[TRACE_TRIM].ios;

	for (unsigned i = 0; i < sizes; i++) {
		if (!size[i].bytes)
			continue;
		bar[n] = (struct trace_bar){ .bytes = size[i].bytes, .most = size[i].most };
		for (unsigned op = 0; op < TRACE_DATA_OPS; op++)
			bar[n].percent[op] = trace_percent(size[i].ios[op], all);
		n++;
	}
	return n;
}

int trace_gap_histogram(struct chart_histogram *h, const struct trace_summary *s)
{
	uint64_t *ns = malloc(2 * HIST_BUCKETS * sizeof(*ns)), *count = ns ? ns + HIST_BUCKETS : NULL;
	struct chart_bins bins = { ns, count, 0, s->gap_min_ns, s->gap_max_ns };

	if (!ns)
		return -ENOMEM;
	bins.n = hist_bins(&s->gap, ns, count);
	if (bins.n && !ns[0]) {
		bins.ns++;
		bins.count++;
		bins.n--;
	}
	chart_histogram(h, &bins, 1, CHART_BARS);
	free(ns);
	return 0;
}
