#include "spans.h"

#include "figures.h"

void result_set_spans(struct result *r, const struct result_spans *head)
{
	struct result_spans *s = arena_alloc(&r->mem, sizeof(*s));

	r->spans = s;
	if (!s) {
		r->failed = true;
		return;
	}
	*s = *head;
	s->command = head->command ? head->command : "";
	s->spans = NULL;
	s->nspans = 0;
	result_copy_figures(r, figures_spans, s);
}

void result_add_span(struct result *r, const struct result_span *span)
{
	struct result_span *s = r->spans ? arena_alloc(&r->mem, sizeof(*s)) : NULL;

	if (!s) {
		r->failed = true;
		return;
	}
	*s = *span;
	result_copy_figures(r, figures_span, s);
	result_add_entry(r, figures_spans_list, r->spans, &s);
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
