/* trace_html.h: the parts of the page of fiord trace. Internal to trace_html*.c. */
#ifndef TRACE_HTML_H
#define TRACE_HTML_H

#include "html_page.h"
#include "trace_summary.h"

/* The charts, each with its figures as a table. All but the first need a trace that has what they show; see
   the parts of trace_html.c. */
void trace_html_over_time(struct html_run *h, const struct trace_summary *s);
void trace_html_sizes(struct html_run *h, const struct trace_summary *s);
void trace_html_gaps(struct html_run *h, const struct trace_summary *s);
void trace_html_reuse(struct html_run *h, const struct trace_summary *s);
void trace_html_skew(struct html_run *h, const struct trace_summary *s);

#endif
