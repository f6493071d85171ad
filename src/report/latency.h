/* latency.h: the latency lines of the normal report. Internal to report/. */
#ifndef REPORT_LATENCY_H
#define REPORT_LATENCY_H

#include "summary.h"

struct strbuf;

extern const char *const latency_label[LAT_KINDS];

/* Adds "    clat (usec): min=14, max=11531, avg=272.03, stdev=578.17"; nothing without samples. */
void latency_row(struct strbuf *b, const struct summary_lat *l, const char *label);
/* Adds "    clat percentiles (usec):" and its block; nothing if percentiles are off. */
void latency_percentiles(struct strbuf *b, const struct summary *s, const struct summary_lat *l,
			 const char *label);
/* Adds "  lat (usec)   : 4=0.01%, ...". */
void latency_cells(struct strbuf *b, const struct summary *s);

#endif
