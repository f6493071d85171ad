/* trace_text.c: the text of fiord trace. */
#include <inttypes.h>
#include <stdlib.h>
#include "readable.h"
#include "strbuf.h"
#include "trace_report.h"
#include "units.h"

#define DEVICES_SHOWN 10

static void put_bytes(struct strbuf *b, int width, uint64_t bytes)
{
	strbuf_printf(b, "%*s", width, units_bytes(bytes).text);
}

static void put_title(const struct trace *t, const struct trace_summary *s, struct strbuf *b)
{
	strbuf_printf(b, "%s: %" PRIu64 " I/O%s in %s, %zu device%s\n", trace_format_name(s->facts.format),
		      s->all.ios, s->all.ios == 1 ? "" : "s",
		      readable_duration((double)(s->last_ns - s->first_ns) / 1e6).text, trace_devices(t),
		      trace_devices(t) == 1 ? "" : "s");
	if (s->facts.coarse)
		strbuf_puts(b, "The stamps are whole seconds, so nothing is known about shorter times.\n");
	if (s->facts.waits)
		strbuf_puts(b, "The log (version 2) has waits, but no stamps.\n");
	if (s->facts.unfinished)
		strbuf_puts(b, "The last line does not end with a newline, so it may be cut off.\n");
	if (s->facts.empty)
		strbuf_printf(b, "%" PRIu64 " lines are left out, because their length is 0.\n",
			      s->facts.empty);
}

static void put_operations(const struct trace_summary *s, struct strbuf *b)
{
	strbuf_printf(b, "\n%-10s %12s %8s %12s %12s\n", "operation", "I/Os", "share", "bytes",
		      "working set");
	for (unsigned i = 0; i < TRACE_IO_OPS; i++) {
		if (!s->op[i].ios)
			continue;
		strbuf_printf(b, "%-10s %12" PRIu64 " %6.1f %%", trace_op_name((enum trace_op)i),
			      s->op[i].ios, trace_percent(s->op[i].ios, s->all.ios));
		if (i < TRACE_DATA_OPS)
			put_bytes(b, 13, s->op[i].bytes);
		if (i <= TRACE_WRITE)
			put_bytes(b, 13, s->touched_bytes[i]);
		strbuf_putc(b, '\n');
	}
	if (s->preflush || s->fua)
		strbuf_printf(b, "with data and a flush: %" PRIu64 ", FUA: %" PRIu64 "\n", s->preflush,
			      s->fua);
}

static uint64_t device_ios(const struct trace_device_counts *c)
{
	uint64_t ios = 0;

	for (unsigned op = 0; op < TRACE_IO_OPS; op++)
		ios += c->op[op].ios;
	return ios;
}

static int by_ios(const void *a, const void *b)
{
	const struct trace_device_counts *const *x = a, *const *y = b;
	uint64_t i = device_ios(*x), k = device_ios(*y);

	if (i != k)
		return i > k ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

const struct trace_device_counts **trace_busiest(const struct trace *t, const struct trace_summary *s,
						 size_t *n)
{
	const struct trace_device_counts **sorted;

	*n = trace_devices(t) < s->devices ? trace_devices(t) : s->devices;
	sorted = calloc(*n + 1, sizeof(*sorted));
	for (size_t i = 0; sorted && i < *n; i++)
		sorted[i] = &s->device[i];
	if (sorted)
		qsort(sorted, *n, sizeof(*sorted), by_ios);
	return sorted;
}

static void put_device(const struct trace *t, const struct trace_summary *s,
		       const struct trace_device_counts *c, struct strbuf *b)
{
	strbuf_printf(b, "%12" PRIu64 " %12" PRIu64, c->op[TRACE_READ].ios, c->op[TRACE_WRITE].ios);
	put_bytes(b, 13, c->op[TRACE_READ].bytes);
	put_bytes(b, 13, c->op[TRACE_WRITE].bytes);
	strbuf_printf(b, " %16" PRIu64 "  ", c->end);
	strbuf_printf_plain(b, "%s\n", trace_device(t, (uint32_t)(c - s->device)));
}

static void put_devices(const struct trace *t, const struct trace_summary *s, struct strbuf *b)
{
	size_t n;
	const struct trace_device_counts **sorted = trace_busiest(t, s, &n);

	b->failed |= !sorted;
	if (!sorted)
		return;
	strbuf_printf(b, "\n%12s %12s %12s %12s %16s  device\n", "reads", "writes", "read", "written",
		      "largest address");
	for (size_t i = 0; i < n && i < DEVICES_SHOWN; i++)
		put_device(t, s, sorted[i], b);
	if (n > DEVICES_SHOWN)
		strbuf_printf(b, "... and %zu devices with fewer I/Os (--output-format=json has all)\n",
			      n - DEVICES_SHOWN);
	free(sorted);
}

static void put_sizes(const struct trace_summary *s, struct strbuf *b)
{
	if (!s->sizes)
		return;
	strbuf_printf(b, "\n%12s %12s %12s %12s\n", s->size_ranges ? "length from" : "length", "reads",
		      "writes", "trims");
	for (unsigned i = 0; i < s->sizes; i++)
		strbuf_printf(b, "%12s %12" PRIu64 " %12" PRIu64 " %12" PRIu64 "\n",
			      units_suffixed(s->size[i].bytes).text, s->size[i].ios[TRACE_READ],
			      s->size[i].ios[TRACE_WRITE], s->size[i].ios[TRACE_TRIM]);
}

static void put_peak(const char *what, uint64_t at_ns, const struct trace_summary *s, struct strbuf *b)
{
	strbuf_printf(b, "%s%s from %s on\n", what, readable_latency((double)trace_interval_ns(s)).text,
		      readable_duration((double)at_ns / 1e6).text);
}

static void put_rates(const struct trace_summary *s, struct strbuf *b)
{
	if (s->seconds <= 0)
		return;
	strbuf_printf(b, "\nIOPS       %11s on average, %11s", readable_count(s->iops).text,
		      readable_count(s->peak_iops).text);
	put_peak(" in the ", s->peak_iops_ns, s, b);
	strbuf_printf(b, "bandwidth  %11s on average, %11s", readable_bytes_rate(s->bytes_per_s, NULL).text,
		      readable_bytes_rate(s->peak_bytes_per_s, NULL).text);
	put_peak(" in the ", s->peak_bytes_ns, s, b);
	if (s->facts.coarse || !s->gaps)
		return;
	strbuf_printf(b, "interarrival times: mean %s, longest %s\npercentiles of them",
		      readable_latency(s->gap_mean_ns).text, readable_latency((double)s->gap_max_ns).text);
	for (unsigned i = 0; i < TRACE_PERCENTILES; i++)
		strbuf_printf(b, "%s %g %% %s", i ? "," : ":", trace_percentile[i],
			      readable_latency((double)s->gap_percentile_ns[i]).text);
	strbuf_putc(b, '\n');
}

static void put_reuse(const struct trace_summary *s, struct strbuf *b)
{
	strbuf_printf(b, "re-use: %.1f %% of the accesses are to blocks that were accessed before",
		      s->reuse_percent);
	if (s->reuse_followed < 1)
		strbuf_printf(b, " (from a sample of %.3g %% of the blocks)", 100 * s->reuse_followed);
	for (unsigned i = 0; i < TRACE_REUSE_PERCENTILES && s->reuse_percent > 0; i++) {
		strbuf_printf(b, "%s %g %% with ", i ? "," : "\nan LRU cache serves of these",
			      trace_reuse_percentile[i]);
		put_bytes(b, 0, s->reuse_bytes[i]);
	}
	strbuf_putc(b, '\n');
}

static void put_skew(const struct trace_summary *s, struct strbuf *b)
{
	const struct zipf_figures *f = &s->skew;

	if (!f->known) {
		strbuf_puts(b, "skew: not known, because too few I/Os that are not sequential begin at the "
			       "same addresses\n");
		return;
	}
	strbuf_printf(
		b, "skew: zipf with theta %.2f (95 %%: %.2f to %.2f) fits best how often the I/Os that are ",
		f->theta, f->low, f->high);
	strbuf_printf(
		b,
		"not sequential begin\nat the same address; at least %.1f %% of the addresses have other "
		"counts\n",
		100 * f->misfit);
}

static void put_places(const struct trace_summary *s, struct strbuf *b)
{
	uint64_t ios = s->op[TRACE_READ].ios + s->op[TRACE_WRITE].ios;

	strbuf_printf(b,
		      "\nsequential: %.1f %% of the reads and writes begin where the last one of their "
		      "device ended\nworking set: ",
		      trace_percent(s->sequential.ios, ios));
	put_bytes(b, 0, s->touched_all_bytes);
	strbuf_printf(b, " in blocks of %u bytes (an estimate with a standard error of %.1f %%)\n",
		      TRACE_BLOCK_BYTES, HYPERLOGLOG_ERROR_PERCENT);
	if (s->large_ios)
		strbuf_printf(b, "... without %" PRIu64 " I/O%s larger than 64 MiB\n", s->large_ios,
			      s->large_ios == 1 ? "" : "s");
	put_reuse(s, b);
	put_skew(s, b);
	if (s->depth.too_deep)
		strbuf_printf(b, "depth: not known, because more than %zu I/Os are in flight\n",
			      TRACE_DEPTH_MAX);
	else if (s->depth_known)
		strbuf_printf(b, "depth: %.4g on average, %" PRIu64 " at most, from issue to completion\n",
			      s->depth_mean, s->depth_max);
	else
		strbuf_puts(b, "depth: not known, because the trace does not tell when I/Os were issued and "
			       "completed\n");
}

void report_trace_text(const struct trace *t, const struct trace_summary *s, struct strbuf *b)
{
	put_title(t, s, b);
	put_operations(s, b);
	put_devices(t, s, b);
	put_sizes(s, b);
	put_rates(s, b);
	put_places(s, b);
}
