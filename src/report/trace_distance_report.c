/* trace_distance_report.c: how far a job is from the trace that it was made from. */
#include <math.h>
#include <stdio.h>
#include "jsonw.h"
#include "readable.h"
#include "strbuf.h"
#include "trace_report.h"

static struct short_text value_text(enum trace_unit unit, double value)
{
	struct short_text text = { "" };

	switch (unit) {
	case TRACE_UNIT_NUMBER:
		if (value >= 100)
			return readable_count(value);
		snprintf(text.text, sizeof(text.text), "%.4g", value);
		break;
	case TRACE_UNIT_BYTES:
		return readable_bytes(value, NULL);
	case TRACE_UNIT_PERCENT:
		snprintf(text.text, sizeof(text.text), "%.1f %%", value);
		break;
	case TRACE_UNIT_NS:
		return readable_latency(value);
	}
	return text;
}

void report_distances_text(const char *device, const char *section, const struct trace_distance *d,
			   unsigned n, struct strbuf *b)
{
	strbuf_puts(b, "\n[");
	strbuf_puts(b, section);
	strbuf_puts(b, "] of ");
	strbuf_plain(b, device);
	strbuf_printf(b, "\n%-28s %12s %12s %12s\n", "", "trace", "job", "difference");
	for (unsigned i = 0; i < n; i++) {
		strbuf_printf(b, "%-28s", d[i].name);
		strbuf_printf(b, " %12s %12s", value_text(d[i].unit, d[i].trace).text,
			      value_text(d[i].unit, d[i].job).text);
		if (isfinite(d[i].difference))
			strbuf_printf(b, " %+10.1f %s\n", d[i].difference,
				      d[i].unit == TRACE_UNIT_PERCENT ? "points" : "%");
		else
			strbuf_puts(b, "            -\n");
	}
}

void report_distances_json(const char *device, const char *section, const struct trace_distance *d,
			   unsigned n, struct jsonw *w)
{
	jsonw_object(w, NULL);
	jsonw_str(w, "device", device);
	jsonw_str(w, "section", section);
	jsonw_object(w, "figures");
	for (unsigned i = 0; i < n; i++) {
		jsonw_object(w, d[i].key);
		jsonw_double(w, "trace", d[i].trace);
		jsonw_double(w, "job", d[i].job);
		if (isfinite(d[i].difference))
			jsonw_double(w,
				     d[i].unit == TRACE_UNIT_PERCENT ? "difference_points"
								     : "difference_percent",
				     d[i].difference);
		jsonw_end_object(w);
	}
	jsonw_end_object(w);
	jsonw_end_object(w);
}
