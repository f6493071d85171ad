/* trace_json.c: the JSON document of fiord trace. */
#include <stdio.h>
#include "jsonw.h"
#include "strbuf.h"
#include "trace_report.h"

static void put_counts(struct jsonw *w, const char *key, const struct trace_counts *c)
{
	jsonw_object(w, key);
	jsonw_u64(w, "ios", c->ios);
	jsonw_u64(w, "bytes", c->bytes);
	jsonw_end_object(w);
}

static void put_operations(struct jsonw *w, const struct trace_counts *op)
{
	for (unsigned i = 0; i < TRACE_IO_OPS; i++)
		put_counts(w, trace_op_name((enum trace_op)i), &op[i]);
}

static void put_devices(struct jsonw *w, const struct trace *t, const struct trace_summary *s)
{
	jsonw_array(w, "devices");
	for (size_t i = 0; i < trace_devices(t) && i < s->devices; i++) {
		jsonw_object(w, NULL);
		jsonw_str(w, "name", trace_device(t, (uint32_t)i));
		jsonw_u64(w, "largest_address", s->device[i].end);
		put_operations(w, s->device[i].op);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

static void put_sizes(struct jsonw *w, const struct trace_summary *s)
{
	jsonw_bool(w, "sizes_are_ranges", s->size_ranges);
	jsonw_array(w, "sizes");
	for (unsigned i = 0; i < s->sizes; i++) {
		jsonw_object(w, NULL);
		jsonw_u64(w, "bytes", s->size[i].bytes);
		if (s->size_ranges)
			jsonw_u64(w, "to_bytes", s->size[i].most);
		for (unsigned op = 0; op < TRACE_DATA_OPS; op++)
			jsonw_u64(w, trace_op_name((enum trace_op)op), s->size[i].ios[op]);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

static void put_rates(struct jsonw *w, const struct trace_summary *s)
{
	jsonw_object(w, "rate");
	jsonw_double(w, "iops", s->iops);
	jsonw_double(w, "bytes_per_s", s->bytes_per_s);
	jsonw_u64(w, "interval_ns", s->interval_ns);
	jsonw_double(w, "peak_iops", s->peak_iops);
	jsonw_u64(w, "peak_iops_at_ns", s->peak_iops_ns);
	jsonw_double(w, "peak_bytes_per_s", s->peak_bytes_per_s);
	jsonw_u64(w, "peak_bytes_at_ns", s->peak_bytes_ns);
	jsonw_end_object(w);
}

static void put_series(struct jsonw *w, const struct trace_summary *s)
{
	jsonw_array(w, "series");
	for (unsigned i = 0; i < s->intervals; i++) {
		const struct trace_interval *v = &s->interval[i];

		jsonw_object(w, NULL);
		jsonw_u64(w, "from_ns", s->first_ns + i * s->interval_ns);
		for (unsigned op = 0; op < TRACE_IO_OPS; op++) {
			const struct trace_counts c = { v->ios[op], op < TRACE_DATA_OPS ? v->bytes[op] : 0 };

			put_counts(w, trace_op_name((enum trace_op)op), &c);
		}
		jsonw_u64(w, "working_set_bytes", v->touched_bytes);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

static void put_gaps(struct jsonw *w, const struct trace_summary *s)
{
	jsonw_object(w, "interarrival_ns");
	jsonw_u64(w, "min", s->gap_min_ns);
	jsonw_double(w, "mean", s->gap_mean_ns);
	jsonw_u64(w, "max", s->gap_max_ns);
	jsonw_u64(w, "zeros", s->gap.n[0]);
	jsonw_object(w, "percentile");
	for (unsigned i = 0; i < TRACE_PERCENTILES; i++) {
		char key[32];

		snprintf(key, sizeof(key), "%g", trace_percentile[i]);
		jsonw_u64(w, key, s->gap_percentile_ns[i]);
	}
	jsonw_end_object(w);
	jsonw_end_object(w);
}

static void put_working_set(struct jsonw *w, const struct trace_summary *s)
{
	jsonw_object(w, "working_set");
	jsonw_u64(w, "block_bytes", TRACE_BLOCK_BYTES);
	jsonw_double(w, "standard_error_percent", HYPERLOGLOG_ERROR_PERCENT);
	jsonw_u64(w, "read_bytes", s->touched_bytes[TRACE_READ]);
	jsonw_u64(w, "written_bytes", s->touched_bytes[TRACE_WRITE]);
	jsonw_u64(w, "bytes", s->touched_all_bytes);
	jsonw_u64(w, "ios_left_out", s->large_ios);
	jsonw_end_object(w);
}

static void put_reuse(struct jsonw *w, const struct trace_summary *s)
{
	jsonw_object(w, "reuse");
	jsonw_double(w, "percent", s->reuse_percent);
	jsonw_double(w, "share_of_blocks", s->reuse_followed);
	jsonw_object(w, "lru_bytes");
	for (unsigned i = 0; i < TRACE_REUSE_PERCENTILES && s->reuse_percent > 0; i++) {
		char key[32];

		snprintf(key, sizeof(key), "%g", trace_reuse_percentile[i]);
		jsonw_u64(w, key, s->reuse_bytes[i]);
	}
	jsonw_end_object(w);
	jsonw_array(w, "caches");
	for (unsigned i = 0; i < s->caches; i++) {
		jsonw_object(w, NULL);
		jsonw_u64(w, "bytes", s->cache[i].bytes);
		jsonw_double(w, "served_percent", s->cache[i].served_percent);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
	jsonw_end_object(w);
}

static void put_skew(struct jsonw *w, const struct trace_summary *s)
{
	if (!s->skew.known)
		return;
	jsonw_object(w, "skew");
	jsonw_u64(w, "ios", s->begins.accesses);
	jsonw_double(w, "zipf_theta", s->skew.theta);
	jsonw_double(w, "theta_from", s->skew.low);
	jsonw_double(w, "theta_to", s->skew.high);
	jsonw_double(w, "touched_addresses", s->skew.touched);
	jsonw_double(w, "fitted_addresses", s->skew.addresses);
	jsonw_double(w, "misfit_percent", 100 * s->skew.misfit);
	jsonw_array(w, "shares");
	for (unsigned i = 0; i < s->shares; i++) {
		jsonw_object(w, NULL);
		jsonw_double(w, "at_most_ios", s->share[i].accesses);
		jsonw_double(w, "addresses_percent", 100 * s->share[i].observed);
		jsonw_double(w, "fitted_percent", 100 * s->share[i].fitted);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
	jsonw_end_object(w);
}

static void put_depth(struct jsonw *w, const struct trace_summary *s)
{
	if (!s->depth_known)
		return;
	jsonw_object(w, "depth");
	jsonw_double(w, "mean", s->depth_mean);
	jsonw_u64(w, "max", s->depth_max);
	jsonw_end_object(w);
}

void report_trace_json(const struct trace *t, const struct trace_summary *s, struct strbuf *b)
{
	struct jsonw w;

	jsonw_init(&w, b);
	jsonw_object(&w, NULL);
	jsonw_str(&w, "format", trace_format_name(s->facts.format));
	jsonw_bool(&w, "whole_seconds", s->facts.coarse);
	jsonw_bool(&w, "last_line_without_newline", s->facts.unfinished);
	jsonw_u64(&w, "lines_left_out", s->facts.empty);
	jsonw_u64(&w, "first_ns", s->first_ns);
	jsonw_u64(&w, "last_ns", s->last_ns);
	put_counts(&w, "all", &s->all);
	put_operations(&w, s->op);
	jsonw_u64(&w, "preflush", s->preflush);
	jsonw_u64(&w, "fua", s->fua);
	put_counts(&w, "sequential", &s->sequential);
	put_devices(&w, t, s);
	put_sizes(&w, s);
	if (s->seconds > 0) {
		put_rates(&w, s);
		put_series(&w, s);
	}
	if (s->seconds > 0 && !s->facts.coarse)
		put_gaps(&w, s);
	put_working_set(&w, s);
	put_reuse(&w, s);
	put_skew(&w, s);
	put_depth(&w, s);
	jsonw_end_object(&w);
	strbuf_putc(b, '\n');
}
