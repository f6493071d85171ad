/* peak_report.h: writes what fiord peak found (peak.h) as text and as a JSON document. */
#ifndef PEAK_REPORT_H
#define PEAK_REPORT_H

#include "peak.h"

struct strbuf;

void report_peak_text(const struct peak *p, struct strbuf *b);
void report_peak_json(const struct peak *p, struct strbuf *b);
/* Adds a sentence that names the resource that ended a search, with its evidence. */
void peak_put_sentence(struct strbuf *b, const struct peak_search *s);
/* Returns what all targets together reach, in percent of the sum of each alone; 0: unknown. */
double peak_together_percent(const struct peak *p, enum peak_goal goal);

#endif
