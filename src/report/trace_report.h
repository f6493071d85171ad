/* trace_report.h: the figures of fiord trace as text, JSON or one HTML page. */
#ifndef TRACE_REPORT_H
#define TRACE_REPORT_H

#include "strbuf.h"
#include "trace_distance.h"
#include "trace_summary.h"

struct jsonw;

void report_trace_text(const struct trace *t, const struct trace_summary *s, struct strbuf *b);
void report_trace_json(const struct trace *t, const struct trace_summary *s, struct strbuf *b);
/* source: what was read; t has been opened with it. */
void report_trace_html(const struct trace *t, const struct trace_summary *s,
		       const struct trace_source *source, struct strbuf *b);

/* Returns the devices, those with the most I/Os first, and their number; the caller frees the list. NULL
 * without memory. */
const struct trace_device_counts **trace_busiest(const struct trace *t, const struct trace_summary *s,
						 size_t *n);

/* trace_distance_report.c: how far the job of a section is from the trace: a table, or an object. */
void report_distances_text(const char *device, const char *section, const struct trace_distance *d,
			   unsigned n, struct strbuf *b);
void report_distances_json(const char *device, const char *section, const struct trace_distance *d,
			   unsigned n, struct jsonw *w);

#endif
