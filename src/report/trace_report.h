/* trace_report.h: the figures of fiord trace as text or JSON. */
#ifndef TRACE_REPORT_H
#define TRACE_REPORT_H

#include "strbuf.h"
#include "trace_summary.h"

void report_trace_text(const struct trace *t, const struct trace_summary *s, struct strbuf *b);
void report_trace_json(const struct trace *t, const struct trace_summary *s, struct strbuf *b);

#endif
