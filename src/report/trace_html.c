/* trace_html.c: what is in a trace as one HTML page. */
#include "trace_html.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"
#include "trace_report.h"
#include "units.h"

#define DEVICES_SHOWN 100
#define NAMES_SHOWN   3 /* files in the title */

/* ---- the answer ---- */

static void put_share(struct strbuf *b, const struct trace_summary *s, unsigned op)
{
	static const char *const name[TRACE_IO_OPS] = { "reads", "writes", "trims", "flushes",
							"data flushes" };
	bool first = true;

	for (unsigned i = 0; i < op; i++)
		first &= !s->op[i].ios;
	if (s->op[op].ios)
		strbuf_printf(b, "%s%s %s", first ? "" : ", ",
			      readable_percent(trace_percent(s->op[op].ios, s->all.ios)).text, name[op]);
}

/* One sentence. */
static void put_sentence(struct strbuf *b, const struct trace *t, const struct trace_summary *s)
{
	size_t devices = trace_devices(t);

	strbuf_printf(b, "<p class=\"answer\">The trace has %s I/O%s of %zu device%s",
		      readable_exact(s->all.ios).text, s->all.ios == 1 ? "" : "s", devices,
		      devices == 1 ? "" : "s");
	if (s->seconds > 0)
		strbuf_printf(b, " in %s", readable_duration(s->seconds * 1e3).text);
	strbuf_puts(b, " (");
	for (unsigned op = 0; op < TRACE_IO_OPS; op++)
		put_share(b, s, op);
	strbuf_puts(b, ")");
	if (s->seconds > 0)
		strbuf_printf(b, ": %s IOPS on average and %s at the peak", readable_count(s->iops).text,
			      readable_count(s->peak_iops).text);
	strbuf_puts(b, ".</p>\n");
}

static void put_rate_tiles(struct strbuf *b, const struct trace_summary *s)
{
	struct short_text interval = readable_duration((double)trace_interval_ns(s) / 1e6);

	if (s->seconds <= 0)
		return;
	html_tile(b, "IOPS", "iops", s->iops, readable_count(s->iops), "on average");
	html_tile(b, "Peak IOPS", "peak_iops", s->peak_iops, readable_count(s->peak_iops),
		  "in the %s from %s on", interval.text,
		  readable_duration((double)s->peak_iops_ns / 1e6).text);
	html_tile(b, "Bandwidth", "bytes_per_s", s->bytes_per_s, readable_bytes_rate(s->bytes_per_s, NULL),
		  "on average");
	html_tile(b, "Peak bandwidth", "peak_bytes_per_s", s->peak_bytes_per_s,
		  readable_bytes_rate(s->peak_bytes_per_s, NULL), "in the %s from %s on", interval.text,
		  readable_duration((double)s->peak_bytes_ns / 1e6).text);
}

static void put_place_tiles(struct strbuf *b, const struct trace_summary *s)
{
	double sequential = trace_percent(s->sequential.ios, s->op[TRACE_READ].ios + s->op[TRACE_WRITE].ios);

	html_tile(b, "Sequential", "sequential", sequential, readable_percent(sequential),
		  "of the reads and writes");
	html_tile(b, "Working set", "working_set", (double)s->touched_all_bytes,
		  readable_bytes((double)s->touched_all_bytes, NULL), "standard error %.1f %%",
		  HYPERLOGLOG_ERROR_PERCENT);
	html_tile(b, "Re-use", "reuse", s->reuse_percent, readable_percent(s->reuse_percent),
		  "of the accesses to blocks");
}

static void put_other_tiles(struct strbuf *b, const struct trace_summary *s)
{
	struct short_text theta;

	snprintf(theta.text, sizeof(theta.text), "theta %.2f", s->skew.theta);
	if (s->skew.known)
		html_tile(b, "Skew (zipf)", "zipf_theta", s->skew.theta, theta, "95 %%: %.2f to %.2f",
			  s->skew.low, s->skew.high);
	if (s->depth_known)
		html_tile(b, "Depth", "depth", s->depth_mean, html_in_unit(SVG_NUMBER, s->depth_mean, NULL),
			  "on average, %" PRIu64 " at most", s->depth_max);
}

/* What limits the figures. */
static void put_limits(struct strbuf *b, const struct trace_summary *s)
{
	struct html_notes list = { .b = b };

	if (s->facts.coarse)
		html_note(&list, "The stamps are whole seconds, so nothing is known about shorter times.");
	if (s->facts.waits)
		html_note(&list, "The log (version 2) has waits, but no stamps.");
	if (s->seconds <= 0)
		html_note(&list, "All I/Os have the same time, so the page has no rates.");
	if (s->facts.unfinished)
		html_note(&list, "The last line does not end with a newline, so it may be cut off.");
	if (s->facts.empty) {
		html_note_begin(&list);
		strbuf_printf(b, "%s lines are left out, because their length is 0.</li>\n",
			      readable_exact(s->facts.empty).text);
	}
	if (s->large_ios) {
		html_note_begin(&list);
		strbuf_printf(b,
			      "Working set and re-use leave out %s I/Os that are larger than 64 MiB.</li>\n",
			      readable_exact(s->large_ios).text);
	}
	if (s->reuse_followed < 1) {
		html_note_begin(&list);
		strbuf_printf(b, "Re-use is known from a sample of %.3g %% of the blocks.</li>\n",
			      100 * s->reuse_followed);
	}
	html_notes_end(&list);
}

static void put_answer(struct html_run *h, const struct trace *t, const struct trace_summary *s)
{
	html_section(h, 0, "answer", "Answer");
	put_sentence(h->b, t, s);
	strbuf_puts(h->b, "<dl class=\"status\">\n");
	put_rate_tiles(h->b, s);
	put_place_tiles(h->b, s);
	put_other_tiles(h->b, s);
	strbuf_puts(h->b, "</dl>\n");
	put_limits(h->b, s);
	html_section_end(h);
}

/* ---- operations and devices ---- */

static void put_size_cell(struct strbuf *b, bool known, uint64_t bytes)
{
	html_number(b, known ? readable_bytes((double)bytes, NULL).text : "");
}

static void put_operations(struct strbuf *b, const struct trace_summary *s)
{
	static const char *const column[] = { "Operation", "#I/Os", "#Share", "#Bytes", "#Working set" };

	html_table(b, "Operations", column, 5);
	for (unsigned op = 0; op < TRACE_IO_OPS; op++) {
		if (!s->op[op].ios)
			continue;
		html_row(b, trace_op_name((enum trace_op)op));
		html_exact(b, s->op[op].ios);
		html_number(b, readable_percent(trace_percent(s->op[op].ios, s->all.ios)).text);
		put_size_cell(b, op < TRACE_DATA_OPS, s->op[op].bytes);
		put_size_cell(b, op <= TRACE_WRITE, op <= TRACE_WRITE ? s->touched_bytes[op] : 0);
		html_row_end(b);
	}
	html_table_end(b);
	if (s->preflush || s->fua)
		strbuf_printf(b, "<p class=\"note\">With data and a flush: %s, FUA: %s</p>\n",
			      readable_exact(s->preflush).text, readable_exact(s->fua).text);
}

static void put_device_row(struct strbuf *b, const char *name, const struct trace_device_counts *c)
{
	html_row(b, name);
	html_exact(b, c->op[TRACE_READ].ios);
	html_exact(b, c->op[TRACE_WRITE].ios);
	html_exact(b, c->op[TRACE_TRIM].ios);
	html_exact(b, c->op[TRACE_SYNC].ios + c->op[TRACE_DATASYNC].ios);
	put_size_cell(b, true, c->op[TRACE_READ].bytes);
	put_size_cell(b, true, c->op[TRACE_WRITE].bytes);
	html_exact(b, c->end);
	html_row_end(b);
}

static void put_devices(struct html_run *h, const struct trace *t, const struct trace_summary *s)
{
	static const char *const column[] = { "Device",   "#Reads", "#Writes",  "#Trims",
					      "#Flushes", "#Read",  "#Written", "#Largest address" };
	const struct trace_device_counts **sorted;
	size_t n;

	html_section(h, 0, "devices", "Operations and devices");
	put_operations(h->b, s);
	sorted = trace_busiest(t, s, &n);
	h->b->failed |= !sorted;
	html_table(h->b, "Devices, those with the most I/Os first", column, 8);
	for (size_t i = 0; sorted && i < n && i < DEVICES_SHOWN; i++)
		put_device_row(h->b, trace_device(t, (uint32_t)(sorted[i] - s->device)), sorted[i]);
	html_table_end(h->b);
	if (n > DEVICES_SHOWN)
		strbuf_printf(h->b,
			      "<p class=\"note\">%zu devices with fewer I/Os are not shown; "
			      "<code>--output-format=json</code> has all.</p>\n",
			      n - DEVICES_SHOWN);
	free(sorted);
	html_section_end(h);
}

/* ---- the parts with charts ---- */

static bool has_course(const struct trace_summary *s)
{
	return s->seconds > 0;
}

static bool has_sizes(const struct trace_summary *s)
{
	return s->sizes > 0;
}

static bool has_gaps(const struct trace_summary *s)
{
	return s->seconds > 0 && !s->facts.coarse;
}

static bool has_reuse(const struct trace_summary *s)
{
	return s->caches > 0;
}

static bool has_skew(const struct trace_summary *s)
{
	return s->skew.known;
}

static const struct part {
	const char *id, *title;
	bool (*has)(const struct trace_summary *s);
	void (*put)(struct html_run *h, const struct trace_summary *s);
	const char *without; /* a sentence in its place; NULL: none */
} parts[] = {
	{ "time", "Over time", has_course, trace_html_over_time, NULL },
	{ "sizes", "Sizes", has_sizes, trace_html_sizes, NULL },
	{ "gaps", "Interarrival times", has_gaps, trace_html_gaps, NULL },
	{ "reuse", "Re-use", has_reuse, trace_html_reuse,
	  "No access was to a block that was accessed before." },
	{ "skew", "Skew", has_skew, trace_html_skew,
	  "Not known, because too few I/Os that are not sequential begin at the same addresses." },
};
#define PARTS (sizeof(parts) / sizeof(*parts))

static void put_parts(struct html_run *h, const struct trace_summary *s)
{
	for (const struct part *p = parts; p < parts + PARTS; p++) {
		if (!p->has(s) && !p->without)
			continue;
		html_section(h, 0, p->id, p->title);
		if (p->has(s))
			p->put(h, s);
		else
			strbuf_printf(h->b, "<p>%s</p>\n", p->without);
		html_section_end(h);
	}
}

static void put_nav(struct strbuf *b, const struct trace_summary *s)
{
	strbuf_puts(b, "<nav aria-label=\"Sections\">\n<ul>\n<li><a href=\"#r1-answer\">Answer</a></li>\n"
		       "<li><a href=\"#r1-devices\">Operations and devices</a></li>\n");
	for (const struct part *p = parts; p < parts + PARTS; p++)
		if (p->has(s) || p->without)
			strbuf_printf(b, "<li><a href=\"#r1-%s\">%s</a></li>\n", p->id, p->title);
	strbuf_puts(b, "<li><a href=\"#r1-methods\">Methods</a></li>\n</ul>\n</nav>\n");
}

static void put_methods(struct html_run *h, const struct trace_summary *s)
{
	html_section(h, 0, "methods", "Methods");
	strbuf_printf(h->b,
		      "<p>Times are those of the trace. A peak is that of one interval of %s. A read or "
		      "write is sequential if "
		      "it begins where the last one of its device ended.</p>\n"
		      "<p>The working set is the number of different blocks of %u bytes that were read or "
		      "written; HyperLogLog "
		      "estimates it. Re-use is the share of the accesses to blocks that were accessed "
		      "before. An LRU cache "
		      "serves an access if fewer different blocks than it has room for were accessed since "
		      "the last access "
		      "to the block.</p>\n",
		      readable_duration((double)trace_interval_ns(s) / 1e6).text, TRACE_BLOCK_BYTES);
	if (s->skew.known)
		strbuf_printf(
			h->b,
			"<p>The skew is the theta of the zipf distribution that fits best how often the I/Os "
			"that are "
			"not sequential begin at the same address. Up to %.1f %% of the addresses have other "
			"counts than the fit.</p>\n",
			100 * s->skew.misfit);
	strbuf_puts(h->b,
		    s->depth.too_deep
			    ? "<p>The depth is not known, because too many I/Os are in flight.</p>\n"
		    : s->depth_known
			    ? "<p>The depth is the number of requests between issue and completion, on all "
			      "devices.</p>\n"
			    : "<p>The depth is not known, because the trace does not tell when I/Os were "
			      "issued and completed.</p>\n");
	strbuf_puts(h->b, "<p>fiord-trace(1) says more.</p>\n");
	html_section_end(h);
}

/* ---- the page ---- */

static void put_source_names(struct strbuf *b, const struct trace_source *source)
{
	strbuf_puts(b, "Trace ");
	for (size_t i = 0; i < source->paths && i < NAMES_SHOWN; i++)
		strbuf_printf(b, "%s%s", i ? ", " : "",
			      strcmp(source->path[i], "-") ? source->path[i] : "of standard input");
	if (source->paths > NAMES_SHOWN)
		strbuf_printf(b, " and %zu more files", source->paths - NAMES_SHOWN);
}

static void put_selection(struct strbuf *b, const struct trace_summary *s, const struct trace_source *source)
{
	strbuf_printf(b, "Format %s", trace_format_name(s->facts.format));
	if (s->facts.stages)
		strbuf_printf(b, ", I/Os as they were %s",
			      source->stage == TRACE_ISSUED ? "issued" : "queued");
	if (source->from_ns)
		strbuf_printf(b, ", from %s on", readable_duration((double)source->from_ns / 1e6).text);
	if (source->to_ns)
		strbuf_printf(b, ", up to %s", readable_duration((double)source->to_ns / 1e6).text);
}

void report_trace_html(const struct trace *t, const struct trace_summary *s,
		       const struct trace_source *source, struct strbuf *b)
{
	struct html_run h = { .number = 1, .level = 2, .b = b };
	struct strbuf title = { 0 }, selection = { 0 };

	put_source_names(&title, source);
	put_selection(&selection, s, source);
	report_html_page_begin(b, strbuf_str(&title), strbuf_str(&selection));
	put_nav(b, s);
	put_answer(&h, t, s);
	put_devices(&h, t, s);
	put_parts(&h, s);
	put_methods(&h, s);
	strbuf_puts(b, "</main>\n");
	report_html_page_end(
		b, "<code>fiord trace --output-format=json</code> writes its figures for programs.");
	strbuf_end(&title, b);
	strbuf_end(&selection, b);
	arena_fini(&h.mem);
}
